"""Every operation of boto3's service models, with minimal, full, absent and wrong input, and every paginator and waiter."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(__file__)))

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from aws.judge import judge_error, judge_success
from aws.model import KINDS, Inputs, in_order, learn
from aws.world import SERVICES
from platform_client import BASE, KEY, KEY_ID_SIGNING
from report import finish, record

for name, (service, make) in SERVICES.items():
    config = Config(retries={"max_attempts": 0}, parameter_validation=False)
    client = boto3.client(
        name, endpoint_url=BASE, region_name="us-east-1", aws_access_key_id=KEY_ID_SIGNING, aws_secret_access_key=KEY, config=config
    )
    model = client.meta.service_model
    world = make(lambda operation, parameters: client._make_api_call(operation, parameters))
    inputs = Inputs(world)
    for operation in map(model.operation_model, in_order(model.operation_names)):
        for kind in KINDS:
            if kind != "minimal" and (operation.input_shape is None or not operation.input_shape.members):
                continue
            parameters = inputs.of(operation, kind)
            try:
                answer = client._make_api_call(operation.name, parameters)
                record(service, operation.name, kind, *judge_success(operation, answer))
                if kind in ("minimal", "full") and operation.name.startswith(("Create", "Start")):
                    learn(world, answer)
            except ClientError as error:
                record(service, operation.name, kind, *judge_error(operation, error.response))
            except BotoCoreError as error:  # refused before it is sent, as a path with an empty label is
                record(service, operation.name, kind, "client", f"{type(error).__name__}: {error}")
            except Exception as error:
                record(service, operation.name, kind, "wrong", f"{type(error).__name__}: {error}; {parameters}")

finish("boto3", boto3.__version__)
