"""Icosa in tests: start an instance, call its services, move its clock, inject faults."""

from .http import IcosaError, Response
from .instance import Icosa, Snapshot, connect
from .process import start
from .tenant import Endpoint, Tenant

__version__ = "0.1.0"
__all__ = ["Endpoint", "Icosa", "IcosaError", "Response", "Snapshot", "Tenant", "connect", "start"]
