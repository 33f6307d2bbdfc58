package icosa

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Tenant has the APIs of an instance with credentials of its own. It sees nothing of other tenants.
type Tenant struct {
	Name     string
	Services []Endpoint
}

// Endpoint is one API with the credentials of a tenant.
type Endpoint struct {
	Name string
	// API is the name of the API, for services with several.
	API string
	URL string
	// Header has the credential, except for signed services.
	Header http.Header
	// Key is the credential itself: a key, a bearer token, or the secret of a signature.
	Key string
	// Signing is set for signed services.
	Signing *Signing

	client *http.Client
}

// Response is a response, read to its end.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// JSON parses the body.
func (response *Response) JSON(result any) error { return json.Unmarshal(response.Body, result) }

// Service returns the first API of a service, by name.
func (tenant *Tenant) Service(name string) (Endpoint, error) { return tenant.API(name, "") }

// API returns an API of a service with several.
func (tenant *Tenant) API(name, api string) (Endpoint, error) {
	names := make([]string, 0, len(tenant.Services))
	for _, endpoint := range tenant.Services {
		if endpoint.Name == name && (api == "" || endpoint.API == api) {
			return endpoint, nil
		}
		names = append(names, endpoint.Name)
	}
	return Endpoint{}, fmt.Errorf("icosa: this instance has no service %q: %s", name, strings.Join(names, ", "))
}

// Fetch sends a request with the credential of the tenant. The body is nil, a string, bytes, or a value for JSON.
func (tenant *Tenant) Fetch(service, method, path string, body any) (*Response, error) {
	endpoint, err := tenant.Service(service)
	if err != nil {
		return nil, err
	}
	return endpoint.Fetch(method, path, body)
}

// Fetch sends a request with the credential of the tenant.
func (endpoint Endpoint) Fetch(method, path string, body any) (*Response, error) {
	return send(endpoint.client, method, endpoint.URL+path, endpoint.Header, body, endpoint.Signing)
}

func send(client *http.Client, method, address string, header http.Header, body any, signing *Signing) (*Response, error) {
	payload, isJSON, err := encode(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequest(method, address, bytes.NewReader(payload))
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		request.Header[name] = values
	}
	if isJSON {
		request.Header.Set("Content-Type", "application/json")
	}
	if signing != nil {
		signing.sign(request, payload)
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return &Response{response.StatusCode, response.Header, content}, err
}

func encode(body any) (payload []byte, isJSON bool, err error) {
	switch body := body.(type) {
	case nil:
		return nil, false, nil
	case []byte:
		return body, false, nil
	case string:
		return []byte(body), true, nil
	default:
		payload, err = json.Marshal(body)
		return payload, true, err
	}
}

// listed is an API as the platform lists it.
type listed struct {
	Name, API, URL string
	Authentication struct{ Kind, Service string }
	Credentials    struct{ Header, Key, AccessKeyID, SecretAccessKey, Region string }
}

// endpoint is below the address of the instance, which may be another one outside its container.
func (one listed) endpoint(base string, client *http.Client) (Endpoint, error) {
	address, err := url.Parse(one.URL)
	if err != nil {
		return Endpoint{}, err
	}
	credentials := one.Credentials
	endpoint := Endpoint{Name: one.Name, API: one.API, URL: base + address.Path, client: client}
	endpoint.Key = credentials.Key[strings.LastIndex(credentials.Key, " ")+1:]
	if credentials.Header != "" {
		endpoint.Header = http.Header{http.CanonicalHeaderKey(credentials.Header): {credentials.Key}}
	}
	if one.Authentication.Kind == "signature" {
		endpoint.Key = credentials.SecretAccessKey
		endpoint.Signing = &Signing{
			AccessKeyID:     credentials.AccessKeyID,
			SecretAccessKey: credentials.SecretAccessKey,
			Region:          credentials.Region,
			Service:         one.Authentication.Service,
		}
	}
	return endpoint, nil
}
