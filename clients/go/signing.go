package icosa

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"sort"
	"strings"
	"time"
)

// Signing has credentials for SDKs that sign with Signature Version 4.
type Signing struct {
	AccessKeyID, SecretAccessKey, Region, Service string
}

func (signing *Signing) sign(request *http.Request, payload []byte) {
	moment := time.Now().UTC().Format("20060102T150405Z")
	payloadHash := hexHash(payload)
	request.Header.Set("X-Amz-Date", moment)
	request.Header.Set("X-Amz-Content-Sha256", payloadHash)
	const names = "host;x-amz-content-sha256;x-amz-date"
	canonical := strings.Join([]string{
		request.Method,
		escape(request.URL.EscapedPath(), "/"),
		canonicalQuery(request.URL.RawQuery),
		"host:" + request.URL.Host,
		"x-amz-content-sha256:" + payloadHash,
		"x-amz-date:" + moment,
		"",
		names,
		payloadHash,
	}, "\n")
	scope := strings.Join([]string{moment[:8], signing.Region, signing.Service, "aws4_request"}, "/")
	key := []byte("AWS4" + signing.SecretAccessKey)
	for _, part := range strings.Split(scope, "/") {
		key = mac(key, part)
	}
	signature := mac(key, strings.Join([]string{"AWS4-HMAC-SHA256", moment, scope, hexHash([]byte(canonical))}, "\n"))
	request.Header.Set("Authorization", fmt.Sprintf("AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%x",
		signing.AccessKeyID, scope, names, signature))
}

func canonicalQuery(query string) string {
	var pairs []string
	for _, pair := range strings.Split(query, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		pairs = append(pairs, recoded(name)+"="+recoded(value))
	}
	sort.Strings(pairs)
	return strings.Join(pairs, "&")
}

func recoded(text string) string {
	decoded, err := url.PathUnescape(text)
	if err != nil {
		decoded = text
	}
	return escape(decoded, "")
}

// escape percent-encodes all but unreserved characters, and those that are safe.
func escape(text, safe string) string {
	var escaped strings.Builder
	for index := 0; index < len(text); index++ {
		if char := text[index]; isUnreserved(char) || strings.IndexByte(safe, char) >= 0 {
			escaped.WriteByte(char)
		} else {
			fmt.Fprintf(&escaped, "%%%02X", char)
		}
	}
	return escaped.String()
}

func isUnreserved(char byte) bool {
	return 'a' <= char && char <= 'z' || 'A' <= char && char <= 'Z' || '0' <= char && char <= '9' || strings.IndexByte("-._~", char) >= 0
}

func mac(key []byte, text string) []byte {
	hash := hmac.New(sha256.New, key)
	hash.Write([]byte(text))
	return hash.Sum(nil)
}

func hexHash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
