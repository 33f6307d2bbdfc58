"""One resource-manager address for all providers, and a store by its connection string."""

from azure.appconfiguration import AzureAppConfigurationClient, ConfigurationSetting
from azure.core.exceptions import HttpResponseError
from azure.mgmt.appconfiguration import AppConfigurationManagementClient

from platform_client import BASE, KeyCredential

stores = AppConfigurationManagementClient(KeyCredential(), "main", base_url=BASE).configuration_stores
stores.begin_create("shop", "py-store", {"location": "westeurope", "sku": {"name": "Standard"}}).result()
keys = list(stores.list_keys("shop", "py-store"))

client = AzureAppConfigurationClient.from_connection_string(next(key for key in keys if not key.read_only).connection_string)
client.set_configuration_setting(ConfigurationSetting(key="color", value="red", label="prod"))
client.set_configuration_setting(ConfigurationSetting(key="a/b c:ü*,\\x", value="1"))
assert client.get_configuration_setting("color", label="prod").value == "red"
assert client.get_configuration_setting("a/b c:ü*,\\x").value == "1"
for number in range(130):
    client.set_configuration_setting(ConfigurationSetting(key=f"k{number}", value=str(number)))
assert len(list(client.list_configuration_settings(key_filter="k*"))) == 130, "over pages"

reader = AzureAppConfigurationClient.from_connection_string(next(key for key in keys if key.read_only).connection_string)
assert reader.get_configuration_setting("k1").value == "1"
try:
    reader.set_configuration_setting(ConfigurationSetting(key="k1", value="2"))
    raise AssertionError("a read-only key wrote")
except (HttpResponseError, KeyError) as error:  # this version of the SDK has no error for 403, and looks it up
    assert "403" in str(error), error
assert client.get_configuration_setting("k1").value == "1"

stores.begin_delete("shop", "py-store").result()
print("ok")
