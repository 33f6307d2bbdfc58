"""Every operation of the AWS CLI's commands for our services, with the inputs of its own service models."""

import contextlib
import io
import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(__file__)))

from platform_client import BASE, KEY, KEY_ID_SIGNING

settings = tempfile.NamedTemporaryFile("w", suffix=".ini")
settings.write("[default]\nregion = us-east-1\nparameter_validation = false\ncli_pager =\n")
settings.flush()
os.environ.update(AWS_CONFIG_FILE=settings.name, AWS_ACCESS_KEY_ID=KEY_ID_SIGNING, AWS_SECRET_ACCESS_KEY=KEY, AWS_MAX_ATTEMPTS="1")

from awscli import __version__
from awscli.botocore import xform_name
from awscli.clidriver import create_clidriver

from aws.judge import judge_error
from aws.model import KINDS, Inputs, as_json, in_order, learn
from aws.world import SERVICES
from report import finish, record

STATUS = {"NotImplementedException": 501}
driver = create_clidriver()


class Refused(Exception):
    pass


def run(service, operation, parameters):
    out, err = io.StringIO(), io.StringIO()
    text = json.dumps(as_json(parameters))
    command = [service, xform_name(operation, "-"), "--cli-input-json", text, "--endpoint-url", BASE, "--output", "json"]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = driver.main(command)
    if code:
        raise Refused(err.getvalue().strip())
    return json.loads(out.getvalue()) if out.getvalue().strip() else {}


def judged(operation, text):
    code = re.search(r"An error occurred \((\w+)\)[^:]*: (.*)", text, re.S)
    if not code:
        return "client", text
    name, message = code.groups()
    response = {"Error": {"Code": name, "Message": message}, "ResponseMetadata": {"HTTPStatusCode": STATUS.get(name, 400)}}
    return judge_error(operation, response)


for name, (service, make) in SERVICES.items():
    model = driver.session.get_service_model(name)
    world = make(lambda operation, parameters: run(name, operation, parameters))
    inputs = Inputs(world)
    for operation in map(model.operation_model, in_order(model.operation_names)):
        for kind in KINDS[:2] + KINDS[3:]:
            try:
                answer = run(name, operation.name, inputs.of(operation, kind))
                record(service, operation.name, kind, "success")
                if operation.name.startswith(("Create", "Start")):
                    learn(world, answer)
            except Refused as refusal:
                record(service, operation.name, kind, *judged(operation, str(refusal)))

finish("aws-cli", __version__)
