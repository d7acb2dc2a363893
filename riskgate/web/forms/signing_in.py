from typing import Any

from allauth.account.forms import LoginForm


class SignIn(LoginForm):
    """allauth's form in this product's words, and with the hint that password managers go by."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = "E-mail address"
        self.fields["login"].widget.attrs["autocomplete"] = "username"
        self.fields["remember"].label = "Stay signed in on this device"
