"""The audit of locked requirements: an advisory with a fix fails, and silence is never taken for a good answer."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest
from tools import audit
from tools.audit import Findings, node_findings, python_findings


def pip(*dependencies: dict[str, Any]) -> str:
    return json.dumps({"dependencies": list(dependencies), "fixes": []})


GOOD = {"name": "good", "version": "1.0", "vulns": []}
BAD = {"name": "bad", "version": "1.0", "vulns": [{"id": "CVE-1", "fix_versions": ["1.1", "2.0"]}]}
HOPELESS = {"name": "hopeless", "version": "2.0", "vulns": [{"id": "CVE-2", "fix_versions": []}]}
SKIPPED = {"name": "private", "skip_reason": "Dependency not found"}


def test_what_pip_audit_says_is_understood() -> None:
    assert python_findings(pip(GOOD)) == Findings([], [])
    assert python_findings(pip(GOOD, BAD)) == Findings(["bad 1.0: CVE-1 (fixed in 1.1, 2.0)"], [])
    assert python_findings(pip(HOPELESS)) == Findings([], ["hopeless 2.0: CVE-2"])
    assert python_findings(pip(GOOD, SKIPPED)) == Findings([], [], "no answer for 1 of 2 packages")
    for silence in ("", "Traceback", "[]", "{}", "null"):
        assert python_findings(silence).unknown == "no answer"


def test_what_npm_audit_says_is_understood() -> None:
    cause = {"title": "Prototype pollution", "url": "x"}
    found = {
        "bad": {"via": [cause], "fixAvailable": True},
        "hopeless": {"via": [cause], "fixAvailable": False},
        "through": {"via": ["bad"], "fixAvailable": True},
    }
    assert node_findings(json.dumps({"vulnerabilities": found})) == Findings(
        ["bad: Prototype pollution"], ["hopeless: Prototype pollution"]
    )
    assert node_findings('{"vulnerabilities": {}}') == Findings([], [])
    assert node_findings('{"message": "405 Method Not Allowed", "statusCode": 405}').unknown == "no answer"


def test_silence_is_said_and_fails_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(audit, "_install", lambda: None)
    monkeypatch.setattr(audit, "node_program", lambda: "node")

    def silent(*command: Any, **more: Any) -> Any:
        raise subprocess.TimeoutExpired("pip-audit", 1)

    monkeypatch.setattr(audit, "node_env", dict)
    monkeypatch.setattr(subprocess, "run", silent)
    assert audit.audit()
    assert capsys.readouterr().out.count("not audited: no answer from an advisory service") == 6
    monkeypatch.setattr(audit, "_said", lambda *command, **more: pip(BAD))
    assert not audit.audit()
    assert "requirements/dev.txt: bad 1.0: CVE-1 (fixed in 1.1, 2.0)" in capsys.readouterr().out
