"""A database by psycopg2, psycopg 3, asyncpg and SQLAlchemy, each with the connection string as it is listed."""

import asyncio
import io

import asyncpg
import psycopg
import psycopg2
import requests
import sqlalchemy
from azure.mgmt.sql import SqlManagementClient

from platform_client import BASE, KEY, KeyCredential

databases = SqlManagementClient(KeyCredential(), "main", base_url=BASE, polling_interval=0.2).databases
at = ("shop", "drivers", "orders")
database = databases.begin_create_or_update(*at, {"location": "westeurope", "sku": {"name": "S0"}}).result()
listed = requests.post(
    f"{BASE}{database.id}/listCredentials?api-version=2021-11-01", headers={"Authorization": f"Bearer {KEY}"}, timeout=30
)
url = listed.json()["connectionString"]

with psycopg2.connect(url) as old, old.cursor() as cursor:
    cursor.execute("create table lines (id int, text text)")
    cursor.copy_from(io.StringIO("1\tü\n2\tb\n"), "lines")
with psycopg.connect(url) as new:
    assert new.execute("select text from lines where id = %s", (1,)).fetchone() == ("ü",)
    with new.cursor().copy("copy lines from stdin") as copy:
        copy.write_row((3, "c"))


async def asynchronous():
    connection = await asyncpg.connect(url)
    assert await connection.fetchval("select count(*) from lines where id > $1", 1) == 2
    await connection.close()


asyncio.run(asynchronous())
with sqlalchemy.create_engine(url).connect() as connection:
    assert connection.execute(sqlalchemy.text("select max(id) from lines")).scalar() == 3
databases.begin_delete(*at).result()
print("ok")
