"""Security codes: they are hashed, and read with any case and blanks."""

from referee.desk.base.codes import code_fits, hash_code


def test_case_and_blanks_of_a_code_do_not_matter() -> None:
    kept = hash_code("K7QX M2", b"salt")
    assert (code_fits("k7qxm2", b"salt", kept), code_fits("K7QXM3", b"salt", kept)) == (True, False)
