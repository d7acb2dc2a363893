from django import forms


class NewAgent(forms.Form):
    """The name and the fixed environment of an agent."""

    name = forms.CharField(
        label="Name",
        max_length=120,
        help_text="As people will read it in the queue, such as billing-agent.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    environment = forms.CharField(
        label="Environment",
        max_length=60,
        initial="production",
        help_text="It stays: an agent cannot choose it. Another environment is another agent.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
