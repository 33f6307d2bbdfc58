"""azure-identity unmodified: the secret is the key, its id the client's."""

import os

from azure.identity import ClientSecretCredential
from azure.mgmt.sql import SqlManagementClient

from platform_client import BASE, KEY

credential = ClientSecretCredential("dev", os.environ["ICOSA_KEY_ID"], KEY, authority=BASE, instance_discovery=False)
servers = SqlManagementClient(credential, "main", base_url=BASE).servers
assert "py-server" not in [server.name for server in servers.list_by_resource_group("empty")]
print("ok")
