from typing import Any

from django import forms
from django.contrib.auth import get_user_model, password_validation


class FirstAdmin(forms.Form):
    """The first team and its admin."""

    team_name = forms.CharField(
        label="Team",
        max_length=120,
        help_text="The people who decide together, such as Payments.",
        widget=forms.TextInput(attrs={"autocomplete": "organization", "autofocus": True}),
    )
    name = forms.CharField(
        label="Your name", max_length=120, widget=forms.TextInput(attrs={"autocomplete": "name"})
    )
    email = forms.EmailField(
        label="E-mail address",
        max_length=254,
        help_text="You sign in with it.",
        widget=forms.EmailInput(attrs={"autocomplete": "username"}),
    )
    password1 = forms.CharField(
        label="Password",
        strip=False,
        help_text="At least 12 characters. A few words that do not belong together are good.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    password2 = forms.CharField(
        label="Password again",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        password = data.get("password1")
        if password is None:
            return data
        person = get_user_model()(email=data.get("email", ""), name=data.get("name", ""))
        try:
            password_validation.validate_password(password, person)
        except forms.ValidationError as error:
            self.add_error("password1", error)
        if data.get("password2") not in (None, password):
            self.add_error("password2", "The two passwords differ. Type the same one twice.")
        return data
