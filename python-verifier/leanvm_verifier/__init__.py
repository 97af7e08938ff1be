"""A verifier of leanVM's proofs, written to be read: plain Python 3, the standard library only.

Each module follows a page of `doc/` and names it.
"""
