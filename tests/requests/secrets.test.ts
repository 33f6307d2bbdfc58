import { type Operation, paramNames } from '@icosa/contract'
import { operationsOfService } from '@icosa/kernel'
import { isSecretName, secretsIn } from '@icosa/platform/requests'
import { expect, test } from 'vitest'
import { allServices } from '../../apps/server/src/services.ts'

/** Names that may be secrets: each is masked in recorded requests, or listed below. */
const suspicious =
  /secret|pass|token|key|pin|cred|connection|sign|cookie|auth|cert|code|cvc|cvv|otp|session|env|pfx|sas|nonce|jwt|assert/i

/**
 * Reviewed: identifiers, public keys, names of keys, settings, cursors of pages, codes of errors and places. The codes of
 * OAuth occur in open operations only, which are not recorded.
 */
const harmless = new Set(
  `
  $skipToken ConditionKey EncryptionKeyArn ErrorCode GroupingStatuses IdempotencyToken Key Keys LanguageCode
  NextToken OauthCallbackUrl OauthClient OauthGrant S3KeyPrefix S3Keys ServerPublicKey TagKey TagKeyList
  address_shipping assignment authorisation_status authorisation_type authority azureKeyVaultUrl
  backchannel_logout_session_required certificateExpirationDate certificateSubjectName certificateThumbprint
  client_public_key code code_challenge code_challenge_method districtCmpCode districtCode divisionCode encodedAvatar
  endTokenIndex environment errorCode event1Code event2Code eventCode hashKeyField hashKeyType hashKeyValue key
  keyIdentifier keyName keyValue keyVaultProperties keys kmsKeyName maxConnections merchant_category_code
  nextPageToken nextToken nonce oauth-clientID orderingKey pageToken partitionKey pin_code_assignment postal_code
  privateEndpointConnectionName privateLinkServiceConnectionState publicKey rangeKeyField rangeKeyType rangeKeyValue
  replyToSessionId sasKeyName server_public_key sessionId session_timeout sqlAuthUpdateUserName startTokenIndex
  tagKeys token_endpoint_auth_method token_type token_type_hint token_value tokenizedText topIntent transferprovider_bank_code
  userAssignedIdentities viaPartitionKey`
    .trim()
    .split(/\s+/),
)

function namesIn(schema: unknown, names = new Set<string>(), seen = new Set<unknown>()): Set<string> {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return names
  seen.add(schema)
  for (const name of Object.keys((schema as { properties?: object }).properties ?? {})) names.add(name)
  for (const part of Object.values(schema)) namesIn(part, names, seen)
  return names
}

const namesOf = (operation: Operation) => [
  ...paramNames(operation.path),
  ...namesIn([operation.body, operation.query, operation.headers, ...Object.values(operation.replies)]),
]

test('every field that may be a secret is masked, or reviewed', async () => {
  const operations = (await allServices()).flatMap((service) => operationsOfService(service))
  const shown = operations.flatMap(({ operation }) => {
    const marked = secretsIn(operation)
    return namesOf(operation).filter((name) => suspicious.test(name) && !isSecretName(name) && !marked.has(name))
  })
  const unknown = [...new Set(shown)].filter((name) => !harmless.has(name)).sort()
  expect(unknown, 'mark them with secret(), or list them as harmless').toEqual([])
  expect([...harmless].filter((name) => !shown.includes(name))).toEqual([])
})

test('the credential headers of every API are masked', async () => {
  for (const { apis } of await allServices())
    for (const { dialect } of apis) {
      const { authentication } = dialect
      const header = authentication.kind === 'key' ? authentication.header : 'authorization'
      expect(isSecretName(header), header).toBe(true)
    }
})
