"""Tests that PostgreSQL need not repeat."""

from tests.support.same_sql import fewest, parts


def test_the_quickest_tests_with_all_sql_are_repeated() -> None:
    known = {"long": (9.0, "abc"), "some": (1.0, "ab"), "rest": (1.0, "bc"), "none": (1.0, "")}
    tests = {name: (seconds, frozenset(sql)) for name, (seconds, sql) in known.items()}
    assert sorted(fewest(tests)) == ["rest", "some"]


def test_each_column_of_a_change_is_a_part_of_its_own() -> None:
    assert parts("UPDATE games SET turn=?, fence=? WHERE games.id = ?") == (
        "UPDATE games WHERE games.id = ?",
        "UPDATE games turn=?",
        "UPDATE games fence=?",
    )


def test_lists_of_any_length_are_the_same_part() -> None:
    assert parts("SELECT a FROM b WHERE a IN (?, ?, ?)") == parts("SELECT a FROM b WHERE a IN (?)")


def test_an_insertion_that_can_be_an_update_is_another_one() -> None:
    row = "INSERT INTO games (turn, fence) VALUES (?, ?)"
    assert parts(row) == (
        "INSERT INTO games VALUES (?)",
        "INSERT INTO games turn",
        "INSERT INTO games fence",
    )
    assert parts(f"{row}, (?, ?)") == parts(row)
    assert parts(f"{row} ON CONFLICT (turn) DO NOTHING")[0] != parts(row)[0]
