"""The management clients, at one address for all providers."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(__file__)))

import importlib

from azure.mgmt.apimanagement import ApiManagementClient
from azure.mgmt.appconfiguration import AppConfigurationManagementClient
from azure.mgmt.scheduler import SchedulerManagementClient
from azure.mgmt.sql import SqlManagementClient
from azure.mgmt.sqlvirtualmachine import SqlVirtualMachineManagementClient

from azure_sdk.conform import conform
from azure_sdk.model import models_of
from platform_client import BASE, KeyCredential
from report import finish

LOCATION = {"location": "westeurope"}
ACTION = {"type": "Http", "request": {"uri": "https://example.com/", "method": "GET"}}
SHARED = {"resource_group_name": "shop", **LOCATION, "tags": {"a": "b"}, "location_name": "westeurope", "polling_interval": 0.2}
MACHINE = "/subscriptions/main/resourceGroups/shop/providers/Microsoft.Compute/virtualMachines/world"

CLIENTS = {
    "azure-mgmt-appconfiguration": (
        "configuration-stores",
        AppConfigurationManagementClient,
        "azure.mgmt.appconfiguration.v2022_05_01",
        {
            "config_store_name": "world-store",
            "sku": {"name": "Standard"},
            "key_value_name": "color",
            "skip_token": None,
            "private_endpoint_connection_name": "link",
            "group_name": "configurationStores",
        },
    ),
    "azure-mgmt-sql": (
        "sql-databases",
        SqlManagementClient,
        "azure.mgmt.sql",
        {
            "server_name": "world",
            "database_name": "orders",
            "elastic_pool_name": "pool",
            "databases.sku": {"name": "S0"},
            "elastic_pools.sku": {"name": "StandardPool", "capacity": 100},
            "servers.parameters": {"location": "westeurope"},
        },
    ),
    "azure-mgmt-sqlvirtualmachine": (
        "sql-virtual-machines",
        SqlVirtualMachineManagementClient,
        "azure.mgmt.sqlvirtualmachine",
        {
            "sql_virtual_machine_name": "world",
            "sql_virtual_machine_group_name": "cluster",
            "availability_group_listener_name": "listener",
            "virtual_machine_resource_id": MACHINE,
            "sql_server_license_type": "PAYG",
            "sql_image_sku": "Developer",
        },
    ),
    "azure-mgmt-scheduler": (
        "job-scheduler",
        SchedulerManagementClient,
        "azure.mgmt.scheduler",
        {
            "job_collection_name": "world",
            "job_name": "nightly",
            "job_collection": {"location": "westeurope", "properties": {"sku": {"name": "Standard"}}},
            "job": {"properties": {"action": ACTION, "recurrence": {"frequency": "day", "interval": 1}, "state": "enabled"}},
            "top": 10,
            "skip": 0,
            "filter": "state eq 'enabled'",
        },
    ),
    "azure-mgmt-apimanagement": (
        "api-diagnostics",
        ApiManagementClient,
        "azure.mgmt.apimanagement",
        {
            "service_name": "world",
            "api_id": "orders",
            "diagnostic_id": "applicationinsights",
            "logger_id": "/loggers/main",
            "if_match": "*",
            "always_log": "allErrors",
        },
    ),
}

chosen = sys.argv[1]
service, kind, module, world = CLIENTS[chosen]
client = kind(KeyCredential(), "main", base_url=BASE, retry_total=0, polling_interval=0.2)
if chosen == "azure-mgmt-apimanagement":
    for name in list(vars(client)):  # the platform has diagnostics alone of this provider
        if not name.startswith("_") and "diagnostic" not in name and name != "api_management_operations":
            delattr(client, name)
if chosen == "azure-mgmt-appconfiguration":  # its operation groups are properties, one set for each version
    names = ("configuration_stores", "key_values", "operations", "private_endpoint_connections", "private_link_resources")
    groups = type("Groups", (), {})()
    for name in names:
        setattr(groups, name, getattr(client, name))
    client = groups
conform(service, client, models_of(module), {**SHARED, **world})
finish(chosen, importlib.import_module(f"{module}._version").VERSION)
