// Every operation of the AWS SDK's clients, by reflection.
package main

import (
	"os"
	"reflect"
	"sort"
	"strings"

	"icosa/calls"

	"github.com/aws/aws-sdk-go/aws"
	"github.com/aws/aws-sdk-go/aws/awserr"
	"github.com/aws/aws-sdk-go/aws/credentials"
	"github.com/aws/aws-sdk-go/aws/request"
	"github.com/aws/aws-sdk-go/aws/session"
	"github.com/aws/aws-sdk-go/service/backup"
	"github.com/aws/aws-sdk-go/service/iotevents"
	"github.com/aws/aws-sdk-go/service/ioteventsdata"
	"github.com/aws/aws-sdk-go/service/pinpointsmsvoice"
	"github.com/aws/aws-sdk-go/service/resourcegroups"
)

// Errors that all services answer, and that models leave out.
var common = "AccessDeniedException ThrottlingException ValidationException ServiceUnavailableException"

var world = map[string]string{
	"BackupVaultName": "world", "TargetBackupVaultName": "world", "SourceBackupVaultName": "world",
	"ScheduleExpression": "cron(0 5 ? * * *)", "IamRoleArn": "arn:aws:iam::123456789012:role/any",
	"BackupPlanName": "world", "RuleName": "daily", "Policy": `{"Version":"2012-10-17","Statement":[]}`,
	"GroupName": "world", "Group": "world", "Name": "world", "InputName": "world", "JsonPath": "id",
	"DetectorModelName": "world", "RoleArn": "arn:aws:iam::123456789012:role/any", "KeyValue": "one",
	"ConfigurationSetName": "world", "EventDestinationName": "topic", "DestinationPhoneNumber": "+12065550100",
	"Type": "TAG_FILTERS_1_0", "Query": `{"ResourceTypeFilters":["AWS::AllSupported"],"TagFilters":[]}`,
}

func rank(name string) int {
	for position, verb := range []string{"Untag", "Ungroup", "Disassociate", "Delete"} {
		if strings.HasPrefix(name, verb) {
			return 10 + position
		}
	}
	if strings.HasPrefix(name, "Create") {
		return 0
	}
	return 1
}

func outcome(failure error) (string, string) {
	if failure == nil {
		return "success", ""
	}
	text := failure.Error()
	coded, isCoded := failure.(awserr.Error)
	switch {
	case isCoded && coded.Code() == "NotImplementedException":
		return "notBuilt", text
	case isCoded && (coded.Code() == request.InvalidParameterErrCode || coded.Code() == request.ParamRequiredErrCode):
		return "client", text
	case strings.Contains(text, "is not an operation"):
		return "wrong", text
	case isCoded && strings.Contains(common, coded.Code()):
		return "declared", text
	case strings.Contains(reflect.TypeOf(failure).String(), "Exception"): // a type of the service
		return "declared", text
	}
	return "wrong", text
}

func main() {
	keys := credentials.NewStaticCredentials("AKIDEVELOPMENTMODE00", os.Getenv("ICOSA_KEY"), "")
	config := aws.NewConfig().WithCredentials(keys).WithRegion("us-east-1").WithEndpoint(os.Getenv("ICOSA_URL")).WithMaxRetries(0)
	open := session.Must(session.NewSession(config))
	services := []struct {
		name   string
		client any
	}{
		{"backup", backup.New(open)}, {"resource-groups", resourcegroups.New(open)},
		{"event-detection", iotevents.New(open)}, {"event-detection", ioteventsdata.New(open)},
		{"voice-messaging", pinpointsmsvoice.New(open)},
	}
	for _, service := range services {
		client := reflect.ValueOf(service.client)
		names := []string{}
		for index := 0; index < client.NumMethod(); index++ {
			name := client.Type().Method(index).Name
			if strings.HasSuffix(name, "Request") && name != "NewRequest" {
				names = append(names, strings.TrimSuffix(name, "Request"))
			}
		}
		sort.SliceStable(names, func(a, b int) bool { return rank(names[a]) < rank(names[b]) })
		for _, name := range names {
			method := client.MethodByName(name)
			for _, input := range []string{"minimal", "full", "absent"} {
				argument := calls.Value(method.Type().In(0), input, world, name, 0)
				answers := method.Call([]reflect.Value{argument})
				failure, _ := answers[1].Interface().(error)
				result, detail := outcome(failure)
				calls.Record(service.name, name, input, result, detail)
			}
		}
	}
	calls.Finish("aws-sdk-go", aws.SDKVersion)
}
