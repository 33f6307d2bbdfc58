// Package calls builds arguments of generated clients by reflection, and prints the outcome of calls as JSON.
package calls

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"time"
)

type Call struct {
	Service   string `json:"service"`
	Operation string `json:"operation"`
	Input     string `json:"input"`
	Outcome   string `json:"outcome"`
	Detail    string `json:"detail"`
}

var all = []Call{}

func Record(service, operation, input, outcome, detail string) {
	if len(detail) > 400 {
		detail = detail[:400]
	}
	all = append(all, Call{service, operation, input, outcome, detail})
}

func Finish(client, version string) {
	json.NewEncoder(os.Stdout).Encode(map[string]any{"client": client, "version": version, "calls": all})
}

// Value returns a value of a type: required members alone, or all of them.
func Value(kind reflect.Type, input string, world map[string]string, name string, depth int) reflect.Value {
	switch kind.Kind() {
	case reflect.Ptr:
		pointer := reflect.New(kind.Elem())
		pointer.Elem().Set(Value(kind.Elem(), input, world, name, depth))
		return pointer
	case reflect.Struct:
		value := reflect.New(kind).Elem()
		if kind == reflect.TypeOf(time.Time{}) {
			value.Set(reflect.ValueOf(time.Unix(1760000000, 0)))
			return value
		}
		for index := 0; index < kind.NumField(); index++ {
			field := kind.Field(index)
			isWanted := field.Tag.Get("required") == "true" || (input == "full" && depth < 4) || world[field.Name] != "" && input != "absent"
			if field.IsExported() && !field.Anonymous && field.Name != "Response" && isWanted && depth < 8 {
				value.Field(index).Set(Value(field.Type, input, world, field.Name, depth+1))
			}
		}
		return value
	case reflect.Slice:
		if kind.Elem().Kind() == reflect.Uint8 {
			return reflect.ValueOf([]byte("{}")).Convert(kind)
		}
		list := reflect.MakeSlice(kind, 1, 1)
		list.Index(0).Set(Value(kind.Elem(), input, world, name, depth+1))
		return list
	case reflect.Map:
		values := reflect.MakeMap(kind)
		values.SetMapIndex(reflect.ValueOf("key").Convert(kind.Key()), Value(kind.Elem(), input, world, "value", depth+1))
		return values
	case reflect.String:
		text := world[name]
		if text == "" || input == "absent" {
			text = strings.Repeat("a", 36)
		}
		return reflect.ValueOf(text).Convert(kind)
	case reflect.Int, reflect.Int32, reflect.Int64:
		return reflect.ValueOf(1).Convert(kind)
	case reflect.Float32, reflect.Float64:
		return reflect.ValueOf(0.5).Convert(kind)
	}
	return reflect.Zero(kind)
}
