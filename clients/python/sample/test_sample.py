"""Ten tests of a project that uses the test kit."""

from datetime import datetime, timedelta, timezone

import pytest

from icosa import IcosaError

JOBS = "/subscriptions/one/resourceGroups/group/providers/Vendor.Scheduler/jobCollections/jobs"


def put_vault(tenant, name="mine"):
    return tenant.fetch("backup", f"/backup-vaults/{name}", "PUT", {})


def vaults(tenant):
    return [one["BackupVaultName"] for one in tenant.fetch("backup", "/backup-vaults/").json()["BackupVaultList"]]


def test_a_signed_service(icosa_tenant):
    assert put_vault(icosa_tenant).status == 200
    assert vaults(icosa_tenant) == ["mine"]


def test_a_service_with_a_key(icosa_tenant):
    created = icosa_tenant.fetch("face-recognition", "/persongroups/people", "PUT", {"name": "People"})
    assert created.status == 200
    assert icosa_tenant.fetch("face-recognition", "/persongroups/people").json()["name"] == "People"


def test_tenants_see_nothing_of_each_other(icosa, icosa_tenant):
    put_vault(icosa_tenant)
    assert vaults(icosa.tenant("other")) == []


def test_a_tenant_with_few_permissions(icosa):
    reader = icosa.tenant("reader", ["backup:List*"])
    assert vaults(reader) == []
    assert put_vault(reader).status == 403


def test_an_error_on_purpose(icosa_reset):
    icosa_reset.faults.add("backup:ListBackupVaults", "error", code="ThrottlingException", times=1)
    refused = icosa_reset.fetch("backup", "/backup-vaults/")
    assert refused.status == 429
    assert "error" in refused.headers["icosa-fault"]
    assert icosa_reset.fetch("backup", "/backup-vaults/").status == 200


def test_a_fault_that_cannot_occur_is_refused(icosa_reset):
    with pytest.raises(IcosaError, match="ListBackupVaults"):
        icosa_reset.faults.add("backup:ListBackupVault", "drop")


def test_a_year_later(icosa_reset):
    icosa_reset.clock.freeze()
    icosa_reset.clock.set(datetime(2030, 1, 1, tzinfo=timezone.utc))
    assert icosa_reset.clock.advance(timedelta(days=365)).year == 2031
    assert icosa_reset.clock.advance("365d").year == 2032


def test_a_job_that_is_due_tomorrow(icosa_reset):
    app = icosa_reset
    version = "?api-version=2016-03-01"
    assert app.fetch("job-scheduler", JOBS + version, "PUT", {"location": "local", "properties": {}}).status == 201
    tomorrow = (app.clock.now() + timedelta(days=1)).isoformat()
    action = {"type": "Http", "request": {"method": "GET", "uri": "http://127.0.0.1:9/"}}
    job = {"properties": {"startTime": tomorrow, "action": action}}
    assert app.fetch("job-scheduler", f"{JOBS}/jobs/ping{version}", "PUT", job).status == 201
    history = f"{JOBS}/jobs/ping/history{version}"
    app.settle()
    assert app.fetch("job-scheduler", history).json()["value"] == []
    app.clock.advance("25h")
    app.settle()
    assert app.fetch("job-scheduler", history).json()["value"] != []


def test_back_to_a_snapshot(icosa_reset):
    put_vault(icosa_reset, "kept")
    icosa_reset.snapshot("seeded")
    put_vault(icosa_reset, "another")
    icosa_reset.restore("seeded")
    assert vaults(icosa_reset) == ["kept"]


def test_what_was_sent(icosa_reset, icosa_tenant):
    sent = icosa_reset.fetch("backup", "/backup-vaults/none")
    assert sent.status == 404
    [last] = icosa_reset.requests(service="backup", min_status=400, limit=1)
    assert last["id"] == sent.headers["x-request-id"]
