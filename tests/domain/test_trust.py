"""Trust: more proof is trusted more, and a security code is hashed."""

from referee.domain.trust import Trust, code_fits, hash_code


def test_more_proof_is_trusted_more() -> None:
    tiers = (Trust.NONE, Trust.ADDRESS, Trust.CODE, Trust.ALIGNED, Trust.TOKEN, Trust.CONFIRMED)
    assert sorted(Trust) == list(tiers)


def test_case_and_blanks_of_a_code_do_not_matter() -> None:
    kept = hash_code("K7QX M2", b"salt")
    assert (code_fits("k7qxm2", b"salt", kept), code_fits("K7QXM3", b"salt", kept)) == (True, False)
