"""The OpenAPI description is true: schemathesis makes requests out of it, good and bad ones, and checks the answers."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from registan.server.identity import COOKIE
from tests.server.place import Guest, Place

turn = itertools.count()
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def ann(place: Place) -> Guest:
    return place.guest("Ann")


@pytest.fixture(scope="module")
def table(ann: Guest) -> str:
    return ann.new_table("khiva", ("random",))


@pytest.fixture(scope="module")
def described(place: Place) -> Any:
    """Return the description of an open house."""
    return schemathesis.openapi.from_url(f"{place.url}/api/schema/openapi.json")


schema = schemathesis.pytest.from_fixture("described")


@pytest.mark.timeout(900)  # one test in the eyes of pytest, however many requests there are
@schema.parametrize()  # type: ignore[untyped-decorator]
@settings(
    max_examples=6,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
def test_every_answer_is_one_that_is_described(case: Any, place: Place, ann: Guest, table: str) -> None:
    if "table" in (case.path_parameters or {}) and len(case.path_parameters["table"]) % 2:
        # One that exists, every other time.
        case.path_parameters["table"] = ann.new_table("khiva", ("",)) if case.method == "DELETE" else table
    known = next(turn) % 3 > 0  # and somebody whom nobody knows, every third time
    # Whoever deletes themselves is gone.
    who = place.guest("Bo") if known and (case.method, case.path) == ("DELETE", "/api/me") else ann
    case.call_and_validate(base_url=place.url, checks=CHECKS, cookies={COOKIE: who.cookie} if known else {})
