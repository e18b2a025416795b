"""Signing in to the pages, with Django's own accounts; the admin's sign-in leads here too."""

from __future__ import annotations

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.exceptions import ValidationError
from django.http import HttpResponse

from pubmeta.control import seconds_to_wait


class SignInForm(AuthenticationForm):
    """Name and password; who has to wait after failures is told for how long, whatever is typed."""

    seconds = 0

    def clean(self) -> dict[str, object]:
        """Look at name and password, unless the address has to wait."""
        if self.request is not None:
            self.seconds = seconds_to_wait(self.request)
        if self.seconds:
            unit = "second" if self.seconds == 1 else "seconds"
            raise ValidationError(f"Too many tries from your address have failed; try again in {self.seconds} {unit}.")
        return super().clean()


class SignIn(LoginView):
    """The page to sign in; leads back to where somebody came from, if that is on this site."""

    authentication_form = SignInForm
    template_name = "sign-in.html"

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """Show the form again, with what is wrong."""
        response = super().form_invalid(form)
        if isinstance(form, SignInForm) and form.seconds:
            response.status_code = 429
            response.headers["Retry-After"] = str(form.seconds)
        return response
