// Every operation of Azure's management clients for our providers, by reflection.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strings"
	"time"

	"icosa/calls"

	"github.com/Azure/azure-sdk-for-go/services/appconfiguration/mgmt/2020-06-01/appconfiguration"
	"github.com/Azure/azure-sdk-for-go/services/hardwaresecuritymodules/mgmt/2021-11-30/hardwaresecuritymodules"
	"github.com/Azure/azure-sdk-for-go/services/preview/sql/mgmt/v4.0/sql"
	"github.com/Azure/azure-sdk-for-go/services/preview/sqlvirtualmachine/mgmt/2021-11-01-preview/sqlvirtualmachine"
	"github.com/Azure/azure-sdk-for-go/services/scheduler/mgmt/2016-03-01/scheduler"
	"github.com/Azure/azure-sdk-for-go/version"
	"github.com/Azure/go-autorest/autorest"
)

var world = map[string]string{"Location": "westeurope", "Tier": ""}

// The strings of a path, in their order: group, then the resource and those below it.
var names = []string{"shop", "world", "orders", "third", "fourth", "fifth"}

var parts = regexp.MustCompile(`(Preparer|Sender|Responder|Complete)$`)

type future interface {
	WaitForCompletionRef(context.Context, autorest.Client) error
}

func outcome(failure error) (string, string) {
	if failure == nil {
		return "success", ""
	}
	text := failure.Error()
	status := regexp.MustCompile(`StatusCode=(\d+)`).FindStringSubmatch(text)
	switch {
	case strings.Contains(text, "validation failed"):
		return "client", text
	case strings.Contains(text, `StatusCode=501`):
		return "notBuilt", text
	case strings.Contains(text, "is not an operation") && strings.Contains(text, "StatusCode=404"):
		return "wrong", text
	case status != nil && status[1][0] == '4' && strings.Contains(text, "Code=\""):
		return "declared", text
	case strings.Contains(text, "Code=\"") && !strings.Contains(text, "Code=\"Unknown"): // of a failed long-running operation
		return "declared", text
	}
	return "wrong", text
}

func call(service, operation, input string, method reflect.Value) {
	context, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	arguments := []reflect.Value{reflect.ValueOf(context)}
	position := 0
	for index := 1; index < method.Type().NumIn(); index++ {
		kind := method.Type().In(index)
		switch {
		case kind.Kind() == reflect.String && kind.Name() == "string":
			text := names[position]
			if input == "absent" {
				text = fmt.Sprintf("absent%d", position)
			}
			arguments = append(arguments, reflect.ValueOf(text))
			position++
		case kind.Kind() == reflect.Ptr && kind.Elem().Kind() != reflect.Struct && input != "full":
			arguments = append(arguments, reflect.Zero(kind))
		default:
			arguments = append(arguments, calls.Value(kind, input, world, "value", 2))
		}
	}
	answers := method.Call(arguments)
	failure, _ := answers[len(answers)-1].Interface().(error)
	if failure == nil {
		pointer := reflect.New(answers[0].Type())
		pointer.Elem().Set(answers[0])
		if promise, isFuture := pointer.Interface().(future); isFuture {
			client := autorest.NewClientWithUserAgent("")
			client.PollingDelay = 100 * time.Millisecond
			client.Authorizer = key{}
			failure = promise.WaitForCompletionRef(context, client)
		}
	}
	result, detail := outcome(failure)
	calls.Record(service, operation, input, result, detail)
}

type key struct{}

func (key) WithAuthorization() autorest.PrepareDecorator {
	return func(next autorest.Preparer) autorest.Preparer {
		return autorest.PreparerFunc(func(request *http.Request) (*http.Request, error) {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("ICOSA_KEY"))
			return next.Prepare(request)
		})
	}
}

func main() {
	base := os.Getenv("ICOSA_URL")
	services := []struct {
		name   string
		client any
	}{
		{"configuration-stores", ref(appconfiguration.NewConfigurationStoresClientWithBaseURI(base, "main"))},
		{"configuration-stores", ref(appconfiguration.NewPrivateEndpointConnectionsClientWithBaseURI(base, "main"))},
		{"configuration-stores", ref(appconfiguration.NewPrivateLinkResourcesClientWithBaseURI(base, "main"))},
		{"configuration-stores", ref(appconfiguration.NewOperationsClientWithBaseURI(base, "main"))},
		{"hardware-security-modules", ref(hardwaresecuritymodules.NewDedicatedHsmClientWithBaseURI(base, "main"))},
		{"sql-databases", ref(sql.NewDatabasesClientWithBaseURI(base, "main"))},
		{"sql-databases", ref(sql.NewElasticPoolsClientWithBaseURI(base, "main"))},
		{"sql-databases", ref(sql.NewServersClientWithBaseURI(base, "main"))},
		{"sql-databases", ref(sql.NewDatabaseOperationsClientWithBaseURI(base, "main"))},
		{"sql-virtual-machines", ref(sqlvirtualmachine.NewSQLVirtualMachinesClientWithBaseURI(base, "main"))},
		{"sql-virtual-machines", ref(sqlvirtualmachine.NewGroupsClientWithBaseURI(base, "main"))},
		{"sql-virtual-machines", ref(sqlvirtualmachine.NewAvailabilityGroupListenersClientWithBaseURI(base, "main"))},
		{"job-scheduler", ref(scheduler.NewJobCollectionsClientWithBaseURI(base, "main"))},
		{"job-scheduler", ref(scheduler.NewJobsClientWithBaseURI(base, "main"))},
	}
	for _, deleting := range []bool{false, true} {
		for _, service := range services {
			client := reflect.ValueOf(service.client)
			for index := 0; index < client.Elem().NumMethod(); index++ {
				method := client.Elem().Type().Method(index)
				kind := client.Elem().Method(index).Type()
				if parts.MatchString(method.Name) || kind.NumIn() == 0 || kind.In(0).String() != "context.Context" {
					continue
				}
				if strings.HasPrefix(method.Name, "Delete") != deleting {
					continue
				}
				for _, input := range []string{"minimal", "full", "absent"} {
					group := strings.TrimSuffix(client.Elem().Type().Name(), "Client")
					call(service.name, group+"."+method.Name, input, client.Elem().Method(index))
				}
			}
		}
	}
	calls.Finish("azure-sdk-for-go", version.Number)
}

// ref gives a client the key, and fast polling.
func ref(client any) any {
	pointer := reflect.New(reflect.TypeOf(client))
	pointer.Elem().Set(reflect.ValueOf(client))
	set(pointer.Elem())
	return pointer.Interface()
}

func set(value reflect.Value) {
	for index := 0; index < value.NumField(); index++ {
		field := value.Field(index)
		switch {
		case field.Type() == reflect.TypeOf(autorest.Client{}):
			field.FieldByName("Authorizer").Set(reflect.ValueOf(key{}))
			field.FieldByName("RetryAttempts").SetInt(1)
		case field.Kind() == reflect.Struct && value.Type().Field(index).Anonymous:
			set(field)
		}
	}
}
