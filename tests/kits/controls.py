"""Uses every control of the Python kit once, then waits to be killed."""

import sys
import time
from datetime import datetime, timedelta, timezone

import icosa

app = icosa.start(["backup"])
print(app.url, flush=True)


def refused(call, words):
    try:
        call()
    except icosa.IcosaError as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"expected: {words}")


def put(tenant, name):
    answer = tenant.fetch("backup", f"/backup-vaults/{name}", "PUT", {})
    assert answer.status == 200, answer


def vaults(tenant):
    return [one["BackupVaultName"] for one in tenant.fetch("backup", "/backup-vaults/").json()["BackupVaultList"]]


# Signatures of unusual targets: a wrong one would be answered with 403.
for target in ("/backup-vaults/a%20b%C3%A9", "/backup-vaults/?odd=%2B%20~&Odd=&maxResults=1"):
    assert app.fetch("backup", target).status != 403

put(app, "kept")
other = app.tenant("other")
assert vaults(other) == []
reader = app.tenant("other", ["backup:List*"])
assert reader.fetch("backup", "/backup-vaults/mine", "PUT", {}).status == 403
assert reader.fetch("platform", "/tenants", "POST", {"name": "dev"}).status == 403
refused(lambda: app.tenant("two words"), "400")
refused(lambda: app.tenant("third", ["backup:Lst"]), "backup:Lst")
refused(lambda: app.service("bakcup"), "backup")

app.clock.freeze()
app.clock.set(datetime(2030, 1, 1, tzinfo=timezone.utc))
assert app.clock.advance(timedelta(hours=1)) == app.clock.now() == datetime(2030, 1, 1, 1, tzinfo=timezone.utc)
refused(lambda: app.clock.advance("1 hour"), "duration")
app.clock.run()
app.settle()

fault = app.faults.add("backup:ListBackupVaults", "throttle", retry_after_seconds=7, times=1)
assert [one["id"] for one in app.faults.list()] == [fault["id"]]
throttled = app.fetch("backup", "/backup-vaults/")
assert (throttled.status, throttled.headers["retry-after"]) == (429, "7")
last = app.requests(service="backup", min_status=429)[-1]
assert last["id"] == throttled.headers["X-Request-Id"]
while not app.history(last["id"]):
    time.sleep(0.1)

saved = app.snapshot("seeded")
assert saved.bytes > 0 and [one.name for one in app.snapshots()] == ["seeded"]
put(app, "another")
assert sorted(vaults(app)) == ["another", "kept"]
app.restore("seeded")
assert vaults(app) == ["kept"]
refused(lambda: app.restore("none"), "404")

put(other, "theirs")
app.reset("other")
assert (vaults(other), vaults(app)) == ([], ["kept"])
app.reset()
assert (vaults(app), app.faults.list(), app.clock.now().year < 2030) == ([], [], True)

print("ok", flush=True)
sys.stdin.read()
