"""Restores to a time, to the latest state, and after a deletion, as the SDK for Python requests them."""

import time
from datetime import timezone

import psycopg2
import requests
from azure.mgmt.sql import SqlManagementClient

from platform_client import BASE, KEY, KeyCredential

sql = SqlManagementClient(KeyCredential(), "main", base_url=BASE)
server = ("shop", "py-server")
location = {"location": "westeurope"}


def create(name, **properties):
    sql.databases.begin_create_or_update(*server, name, {**location, "properties": properties}).result()


def run(name, statement):
    url = f"{BASE}{sql.databases.get(*server, name).id}/listCredentials?api-version=2017-10-01-preview"
    credentials = requests.post(url, headers={"authorization": f"Bearer {KEY}"}).json()
    connection = psycopg2.connect(credentials["connectionString"])
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute(statement)
        row = cursor.fetchone() if cursor.description else None
    connection.close()
    return row and row[0]


def until(condition):
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.2)


create("orders", sampleName="AdventureWorksLT")
until(lambda: sql.databases.get(*server, "orders").earliest_restore_date)
run("orders", "create table notes as select 'before' as text")
then = run("orders", "select clock_timestamp() from pg_sleep(0.002)").astimezone(timezone.utc)
run("orders", "update notes set text = 'after'")
written = run("orders", "select clock_timestamp()")

source = sql.databases.get(*server, "orders").id
restore_point = then.isoformat()
create("then", createMode="PointInTimeRestore", sourceDatabaseId=source, restorePointInTime=restore_point)
assert run("then", "select text from notes") == "before"
assert run("then", "select count(*) from saleslt.customer") == 850

until(lambda: sql.recoverable_databases.get(*server, "orders").last_available_backup_date > written)
create("latest", createMode="Recovery", recoverableDatabaseId=sql.recoverable_databases.get(*server, "orders").id)
assert run("latest", "select text from notes") == "after"

sql.databases.begin_delete(*server, "orders").result()
[dropped] = sql.restorable_dropped_databases.list_by_server(*server)
assert dropped.database_name == "orders" and dropped.deletion_date > written > dropped.earliest_restore_date
create("back", createMode="Restore", restorableDroppedDatabaseId=dropped.id)
assert run("back", "select text from notes") == "after"
for name in ("then", "latest", "back"):
    sql.databases.begin_delete(*server, name).result()
print("ok")
