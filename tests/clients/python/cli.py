"""The Azure CLI: a cloud of its own, sign-in with a key, and commands of several services at one address."""

import os
import subprocess
import sys

from platform_client import BASE, KEY

# This version of the CLI always asks the vendor whether it knows the host; later ones have a setting for it.
launcher = """
import msal, sys
create = msal.ConfidentialClientApplication.__init__
msal.ConfidentialClientApplication.__init__ = lambda *a, **k: create(*a, **{**k, 'instance_discovery': False})
from azure.cli.core import get_default_cli
sys.exit(get_default_cli().invoke(sys.argv[1:]))
"""


def az(*arguments):
    done = subprocess.run([sys.executable, "-c", launcher, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, (arguments, done.stderr[-2000:])
    return done.stdout


az("cloud", "register", "--name", "icosa", "--endpoint-resource-manager", BASE)
az("cloud", "set", "--name", "icosa")
login = ("login", "--service-principal", "-u", os.environ["ICOSA_KEY_ID"], "-p", KEY, "--tenant", "dev", "--allow-no-subscriptions")
az(*login)
rest = ("rest", "--url")
provider = "/subscriptions/main/resourceGroups/shop/providers"
store = f"{BASE}{provider}/Microsoft.AppConfiguration/configurationStores/az-store?api-version=2022-05-01"
az(*rest, store, "--method", "put", "--body", '{"location":"westeurope","sku":{"name":"standard"}}', "--resource", BASE)
assert "az-store" in az(*rest, store, "--resource", BASE)
az(*login)  # the subscription exists from its first resource on, and is listed at sign-in
assert "shop" in az("group", "list", "--subscription", "main")
az("sql", "server", "list", "--resource-group", "shop", "--subscription", "main")
print("ok")
