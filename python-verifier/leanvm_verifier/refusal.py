"""The one error of the verifier."""


class Refused(Exception):
    """The bytes prove nothing: a part is malformed or missing, or the check that is named does not hold."""
