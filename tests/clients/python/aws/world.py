"""Resources that the generated inputs name, by service: made once, with the client itself."""

ROLE = "arn:aws:iam::123456789012:role/any"
TESTED = {"Algorithm": "LATEST_WITHIN_WINDOW", "IncludeVaults": ["*"], "RecoveryPointTypes": ["SNAPSHOT"]}
QUERY = {"Type": "TAG_FILTERS_1_0", "Query": '{"ResourceTypeFilters":["AWS::AllSupported"],"TagFilters":[{"Key":"a","Values":["b"]}]}'}


def backup(call):
    vault = call("CreateBackupVault", {"BackupVaultName": "world", "BackupVaultTags": {"a": "b"}})
    call("CreateBackupVault", {"BackupVaultName": "copies"})
    rule = {"RuleName": "daily", "TargetBackupVaultName": "world", "ScheduleExpression": "cron(0 5 ? * * *)"}
    plan = call("CreateBackupPlan", {"BackupPlan": {"BackupPlanName": "world", "Rules": [rule]}})
    return {
        **{name: vault[name] for name in ("BackupVaultName", "BackupVaultArn")},
        "ResourceArn": vault["BackupVaultArn"],
        "TargetBackupVaultName": "world",
        "SourceBackupVaultName": "world",
        "DestinationBackupVaultArn": vault["BackupVaultArn"].replace("world", "copies"),
        "BackupPlanId": plan["BackupPlanId"],
        "VersionId": plan["VersionId"],
        "IamRoleArn": ROLE,
        "ScheduleExpression": "cron(0 5 ? * * *)",
        "ScheduleExpressionTimezone": "Etc/UTC",
        ("CreateBackupVault", "BackupVaultName"): lambda count: f"made{count}",
        ("CreateLogicallyAirGappedBackupVault", "BackupVaultName"): lambda count: f"gapped{count}",
        ("CreateReportPlan", "ReportPlanName"): lambda count: f"report{count}",
        ("CreateFramework", "FrameworkName"): lambda count: f"frame{count}",
        ("CreateRestoreTestingPlan", "RestoreTestingPlanName"): lambda count: f"testing{count}",
        ("CreateRestoreTestingSelection", "RestoreTestingSelectionName"): lambda count: f"selection{count}",
        ("CreateReportPlan", "ReportDeliveryChannel"): {"S3BucketName": "reports", "Formats": ["CSV"]},
        ("CreateReportPlan", "ReportSetting"): {"ReportTemplate": "BACKUP_JOB_REPORT"},
        ("UpdateReportPlan", "ReportDeliveryChannel"): {"S3BucketName": "reports", "Formats": ["CSV"]},
        ("UpdateReportPlan", "ReportSetting"): {"ReportTemplate": "BACKUP_JOB_REPORT"},
        "FrameworkControls": [{"ControlName": "BACKUP_RECOVERY_POINT_ENCRYPTED"}],
        "BackupPlanTemplateJson": '{"BackupPlanName":"world","Rules":[{"RuleName":"daily","TargetBackupVaultName":"world"}]}',
        "Policy": '{"Version":"2012-10-17","Statement":[]}',
        "SNSTopicArn": "arn:aws:sns:us-east-1:123456789012:topic",
        ("CreateLegalHold", "RecoveryPointSelection"): {"VaultNames": ["world"]},
        ("CreateRestoreTestingPlan", "RestoreTestingPlan", "RecoveryPointSelection"): TESTED,
        ("UpdateRestoreTestingPlan", "RestoreTestingPlan", "RecoveryPointSelection"): TESTED,
        "Lifecycle": {"DeleteAfterDays": 30},

    }


def groups(call):
    group = call("CreateGroup", {"Name": "world", "ResourceQuery": QUERY})["Group"]
    return {
        "Name": "world",
        "Group": "world",
        "GroupName": "world",
        "Arn": group["GroupArn"],
        "ResourceQuery": QUERY,
        "RoleArn": ROLE,
        ("CreateGroup", "Name"): lambda count: f"made{count}",
        ("CreateGroup", "Configuration"): [{"Type": "AWS::ResourceGroups::Generic"}],
    }


DETECTOR = {
    "initialStateName": "cold",
    "states": [
        {"stateName": "cold", "onInput": {"transitionEvents": [{"eventName": "heat", "condition": "$input.world.t > 50", "nextState": "hot"}]}},
        {"stateName": "hot"},
    ],
}
ALARM = {"simpleRule": {"inputProperty": "$input.world.t", "comparisonOperator": "GREATER", "threshold": "50"}}


def events(call):
    made = call("CreateInput", {"inputName": "world", "inputDefinition": {"attributes": [{"jsonPath": "id"}, {"jsonPath": "t"}]}})
    call("CreateDetectorModel", {"detectorModelName": "world", "key": "id", "roleArn": ROLE, "detectorModelDefinition": DETECTOR})
    call("CreateAlarmModel", {"alarmModelName": "alarms", "key": "id", "roleArn": ROLE, "alarmRule": ALARM})
    return {
        "inputName": "world",
        "detectorModelName": "world",
        "alarmModelName": "alarms",
        "detectorModelVersion": "1",
        "alarmModelVersion": "1",
        "resourceArn": made["inputConfiguration"]["inputArn"],
        "inputArn": made["inputConfiguration"]["inputArn"],
        "roleArn": ROLE,
        "detectorModelDefinition": DETECTOR,
        "alarmRule": ALARM,
        "alarmNotification": {},
        "key": "id",
        "jsonPath": "id",
        ("CreateInput", "inputName"): lambda count: f"made{count}",
        ("CreateDetectorModel", "detectorModelName"): lambda count: f"made{count}",
        ("CreateAlarmModel", "alarmModelName"): lambda count: f"made{count}",
        "alarmEventActions": {"alarmActions": []},
        "inputDefinition": {"attributes": [{"jsonPath": "id"}, {"jsonPath": "t"}]},
        "iotSiteWiseAssetModelPropertyIdentifier": {"assetModelId": "a", "propertyId": "p"},
    }


def data(call):
    call("BatchPutMessage", {"messages": [{"messageId": "1", "inputName": "world", "payload": b'{"id":"one","t":60}'}]})
    return {
        "inputName": "world",
        "detectorModelName": "world",
        "alarmModelName": "alarms",
        "keyValue": "one",
        "payload": b'{"id":"one","t":60}',
        "stateName": "hot",
        "snoozeDuration": 60,
    }


def voice(call):
    call("CreateConfigurationSet", {"ConfigurationSetName": "world"})
    sns = {"TopicArn": "arn:aws:sns:us-east-1:123456789012:topic"}
    destination = {"Enabled": True, "MatchingEventTypes": ["ANSWERED"], "SnsDestination": sns}
    call(
        "CreateConfigurationSetEventDestination",
        {"ConfigurationSetName": "world", "EventDestinationName": "topic", "EventDestination": destination},
    )
    return {
        "ConfigurationSetName": "world",
        "EventDestinationName": "topic",
        "EventDestination": destination,
        ("CreateConfigurationSet", "ConfigurationSetName"): lambda count: f"made{count}",
        ("CreateConfigurationSetEventDestination", "EventDestinationName"): lambda count: f"made{count}",
        "DestinationPhoneNumber": "+12065550100",
        "OriginationPhoneNumber": "+12065550101",
        "CallerId": "+12065550101",
        "Content": {"PlainTextMessage": {"LanguageCode": "en-US", "Text": "Hello.", "VoiceId": "Joanna"}},
    }


# Our service, and what makes the world of a service model.
SERVICES = {
    "backup": ("backup", backup),
    "resource-groups": ("resource-groups", groups),
    "iotevents": ("event-detection", events),
    "iotevents-data": ("event-detection", data),
    "pinpoint-sms-voice": ("voice-messaging", voice),
}
