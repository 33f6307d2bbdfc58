"""Whether an answer is one that the service's model declares."""

from aws.model import COMMON, mismatches


def judge_success(operation, answer):
    differences = mismatches(operation.output_shape, answer)
    return ("wrong", "; ".join(differences)) if differences else ("success",)


def judge_error(operation, response):
    code = response["Error"].get("Code", "")
    status = response["ResponseMetadata"]["HTTPStatusCode"]
    text = f"{status} {code}: {response['Error'].get('Message')}"
    if status == 501:
        return "notBuilt", text
    if "is not an operation" in text:
        return "wrong", text
    declared = {shape.metadata.get("error", {}).get("code", shape.name) for shape in operation.error_shapes}
    return ("declared" if code in declared | COMMON else "wrong"), text
