import { ignoredIn, type Schema } from '@icosa/contract'
import { operationsOfService } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { allServices } from '../../apps/server/src/services.ts'

interface JsonSchema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: Schema | boolean
}

const asJson = (schema: Schema) => schema as JsonSchema

/** Paths of fields that a reply may have and a request body may not. */
function refused(reply: Schema, body: Schema, path = ''): string[] {
  const { properties = {}, items, anyOf = [] } = asJson(reply)
  const choices = [body, ...(asJson(body).anyOf ?? [])]
  if (choices.some((choice) => asJson(choice).additionalProperties !== undefined)) return []
  const own = Object.entries(properties).flatMap(([name, member]) => {
    if (choices.some((choice) => ignoredIn(choice).includes(name))) return []
    const memberSchema = choices.flatMap((choice) => asJson(choice).properties?.[name] ?? [])[0]
    return memberSchema ? refused(member, memberSchema, `${path}.${name}`) : [`${path}.${name}`]
  })
  const memberSchema = choices.flatMap((choice) => asJson(choice).items ?? [])[0]
  const inItems = items && memberSchema ? refused(items, memberSchema, `${path}[]`) : []
  return [...own, ...inItems, ...anyOf.flatMap((one) => refused(one, body, path))]
}

const services = await allServices()

// Clients of a resource manager read a resource, change a property and PUT the whole.
test.each(services)('$name accepts the resources that it returns', (service) => {
  const all = operationsOfService(service).filter(({ operation }) => operation.dialect.name === 'arm')
  const found = all.flatMap(({ id, operation: { method, path, body } }) => {
    const reader = all.find(({ operation }) => operation.method === 'GET' && operation.path === path)
    const shown = reader?.operation.replies[200]
    return method === 'PUT' && body && shown ? refused(shown, body).map((field) => `${id} ${field.slice(1)}`) : []
  })
  expect(found).toEqual([])
})
