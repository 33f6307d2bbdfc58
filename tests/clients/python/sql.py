"""A database, scaled up and back as a tool does that sends what it read."""

from azure.mgmt.sql import SqlManagementClient

from platform_client import BASE, KeyCredential

databases = SqlManagementClient(KeyCredential(), "main", base_url=BASE).databases
at = ("shop", "py-server", "orders")
databases.begin_create_or_update(*at, {"location": "westeurope", "sku": {"name": "S0"}}).result()
for name in ("GP_Gen5_2", "S1"):
    databases.begin_update(*at, {"sku": {"name": name}}).result()
    database = databases.get(*at)
    databases.begin_create_or_update(*at, database).result()
assert databases.get(*at).max_size_bytes == 250 * 1024**3
databases.begin_delete(*at).result()
print("ok")
