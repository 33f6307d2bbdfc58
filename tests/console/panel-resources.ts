import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import type { Icosa } from '../../apps/server/src/testkit/index.ts'
import { zip } from '../../services/functions/src/build/zip.ts'

const arm = '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/demo/providers'

/** Creates what panels show, by public operations. */
export function resourcesOf(app: () => Icosa) {
  async function send(
    service: Parameters<Icosa['fetch']>[0],
    method: string,
    path: string,
    body?: unknown,
    type = 'application/json',
  ) {
    const isBytes = body instanceof Uint8Array
    const response = await app().fetch(service, path, {
      method,
      headers: { 'content-type': type },
      ...(body !== undefined && { body: isBytes ? new Blob([Buffer.from(body)]) : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text
  }

  return {
    send,

    /** A heating that is hot in one room. */
    async detectors() {
      const events = (method: string, path: string, body?: unknown) => send('event-detection', method, path, body)
      const attributes = ['room', 'celsius'].map((jsonPath) => ({ jsonPath }))
      await events('POST', '/inputs', { inputName: 'reading', inputDefinition: { attributes } })
      const celsius = '$input.reading.celsius'
      const to = (nextState: string, condition: string) => ({ eventName: nextState, condition, nextState })
      await events('POST', '/detector-models', {
        detectorModelName: 'heating',
        key: 'room',
        roleArn: 'arn:aws:iam::123456789012:role/any',
        detectorModelDefinition: {
          initialStateName: 'normal',
          states: [
            { stateName: 'normal', onInput: { transitionEvents: [to('warm', `${celsius} > 25`)] } },
            {
              stateName: 'warm',
              onInput: { transitionEvents: [to('alarm', `${celsius} > 30`), to('normal', `${celsius} < 24`)] },
            },
            {
              stateName: 'alarm',
              onInput: { transitionEvents: [to('alarm', `${celsius} > 40`), to('normal', `${celsius} < 20`)] },
            },
          ],
        },
      })
      const message = (messageId: string, value: object) => ({
        messageId,
        inputName: 'reading',
        payload: Buffer.from(JSON.stringify(value)).toString('base64'),
      })
      await expect
        .poll(
          async () => {
            await events('POST', '/inputs/messages', {
              messages: [
                message('1', { room: 'attic', celsius: 28 }),
                message('2', { room: 'cellar', celsius: 12 }),
                message('3', { room: 'roof', celsius: 27 }),
              ],
            })
            return (await events('GET', '/detectors/heating')).detectorSummaries.length
          },
          { timeout: 30_000 },
        )
        .toBe(3)
      await events('POST', '/inputs/messages', { messages: [message('4', { room: 'roof', celsius: 35 })] })
    },

    /** A function that was called, and has logged. */
    async function() {
      const at = '/v2/projects/demo/locations/us-central1/functions'
      const functions = (method: string, path: string, body?: unknown, type?: string) =>
        send('functions', method, path, body, type)
      const upload = await functions('POST', `${at}:generateUploadUrl`, {})
      const content = `exports.greet = (request, response) => {
  console.log('called by', request.method)
  console.error('a warning')
  response.set('x-greeting', 'yes').status(201).send('hello ' + (request.query.name ?? request.body?.name))
}
`
      const uploaded = await fetch(upload.uploadUrl, {
        method: 'PUT',
        headers: { 'content-type': 'application/zip' },
        body: new Blob([Buffer.from(zip([{ path: 'index.js', content }]))]),
      })
      expect(uploaded.status).toBe(200)
      const source = { storageSource: upload.storageSource }
      await functions('POST', `${at}?functionId=greet`, {
        buildConfig: { runtime: 'nodejs24', entryPoint: 'greet', source },
      })
      const state = async () => (await functions('GET', `${at}/greet`)).state
      await expect.poll(state, { timeout: 120_000 }).toBe('ACTIVE')
    },

    /** A store with a value that changed. */
    async store() {
      const stores = (method: string, path: string, body?: unknown) => send('configuration-stores', method, path, body)
      const at = `${arm}/Vendor.AppConfiguration/configurationStores/settings?api-version=2023-03-01`
      await stores('PUT', at, { location: 'here', sku: { name: 'Standard' } })
      const state = async () => (await stores('GET', at)).properties.provisioningState
      await expect.poll(state, { timeout: 60_000 }).toBe('Succeeded')
      for (const value of ['red', 'green', 'blue'])
        await stores('PUT', '/stores/settings/kv/colour?label=beta&api-version=1.0', { value })
      await stores('PUT', '/stores/settings/kv/size?api-version=1.0', { value: '{"width":3}' })
    },

    /** A database. */
    async database() {
      const at = `${arm}/Vendor.Sql/servers/main/databases/orders?api-version=2017-10-01-preview`
      await send('sql-databases', 'PUT', at, { location: 'westeurope' })
      const state = async () => (await send('sql-databases', 'GET', at)).properties.status
      await expect.poll(state, { timeout: 60_000 }).toBe('Online')
    },

    /** A recovery point of that store. */
    async recoveryPoint() {
      const backup = (method: string, path: string, body?: unknown) => send('backup', method, path, body)
      await backup('PUT', '/backup-vaults/daily', {})
      const { BackupJobId } = await backup('PUT', '/backup-jobs', {
        BackupVaultName: 'daily',
        IamRoleArn: 'arn:aws:iam::123456789012:role/any',
        ResourceArn: `${arm}/Vendor.AppConfiguration/configurationStores/settings`,
      })
      const state = async () => (await backup('GET', `/backup-jobs/${BackupJobId}`)).State
      await expect.poll(state, { timeout: 90_000 }).toBe('COMPLETED')
    },

    /** An account with money, some of which it has paid. */
    async account() {
      const bank = (method: string, path: string, body?: unknown) => send('banking', method, path, body)
      await bank('POST', '/v1/sandbox-user-person')
      const user = (await bank('GET', '/user')).Response[0].UserPerson.id
      const at = `/user/${user}/monetary-account`
      await bank('POST', `${at}-bank`, { currency: 'EUR', description: 'savings' })
      const all = (await bank('GET', `${at}-bank`)).Response.map((one: object) => Object.values(one)[0])
      const [account, other] = all
      const sugar = { type: 'EMAIL', value: 'sugardaddy@vendor.example' }
      const money = (value: string) => ({ value, currency: 'EUR' })
      await bank('POST', `${at}/${account.id}/request-inquiry`, {
        ...{ amount_inquired: money('500.00'), description: 'Please', counterparty_alias: sugar },
        allow_vendorme: false,
      })
      const balance = async () => {
        const { Response: response } = await bank('GET', `${at}-bank/${account.id}`)
        return response[0].MonetaryAccountBank.balance.value
      }
      await expect.poll(balance, { timeout: 30_000 }).toBe('500.00')
      for (const [value, description] of [
        ['120.00', 'Rent'],
        ['30.50', 'Food'],
      ] as const)
        await bank('POST', `${at}/${account.id}/payment`, {
          ...{ amount: money(value), description },
          counterparty_alias: { type: 'IBAN', value: other.alias[0].value, name: 'savings' },
        })
      await expect.poll(balance).toBe('349.50')
      return { user: String(user), account: String(account.id) }
    },

    /** Contributions with places and a picture. */
    async contributions() {
      const collect = (method: string, path: string, body?: unknown, type?: string) =>
        send('contribution-collection', method, path, body, type)
      const { id } = await collect('POST', '/assignments', { name: 'Snow', callToAction: 'Send your snow pictures' })
      const picture = await readFile(new URL('../../docs/start/console-home-light.png', import.meta.url))
      const media = await collect('POST', '/media', picture, 'application/octet-stream')
      const places = { Oslo: [59.9, 10.7], Rome: [41.9, 12.5], Lisbon: [38.7, -9.1] }
      let contribution = ''
      for (const [name, [latitude, longitude]] of Object.entries(places))
        contribution = (
          await collect('POST', '/contributions', {
            ...{ assignment: { id }, headline: `Snow in ${name}`, place: { name, latLong: { latitude, longitude } } },
            mediaUsages: [{ media: { id: media.id } }],
          })
        ).id
      // The file of a contribution is public once it is approved.
      await collect('POST', `/contributions/${contribution}/moderate`, { action: { id: 'approve' } })
      const artifacts = async () => (await collect('GET', `/contributions/${contribution}`)).mediaUsages[0].artifacts
      await expect.poll(async () => (await artifacts()).length, { timeout: 60_000 }).toBeGreaterThan(0)
      return { assignment: String(id), contribution: String(contribution) }
    },

    /** A trained version of a language app. */
    async languageApp() {
      const language = (method: string, path: string, body?: unknown) => send('language-authoring', method, path, body)
      const app = String(await language('POST', '/apps', { name: 'Travel', culture: 'en-us' })).replaceAll('"', '')
      const at = `/apps/${app}/versions/0.1`
      for (const name of ['BookFlight', 'Cancel']) await language('POST', `${at}/intents`, { name })
      const subLists = ['Rome', 'Oslo'].map((canonicalForm) => ({ canonicalForm, list: [] }))
      await language('POST', `${at}/closedlists`, { name: 'City', subLists })
      const examples = {
        BookFlight: ['book a flight to Rome', 'fly to Oslo', 'a ticket to Rome please'],
        Cancel: ['cancel my flight', 'forget it', 'stop this'],
      }
      for (const [intentName, texts] of Object.entries(examples))
        for (const text of texts) await language('POST', `${at}/example`, { text, intentName })
      await language('POST', `${at}/train`)
      const state = async () => (await language('GET', `${at}/`)).trainingStatus
      await expect.poll(state, { timeout: 90_000 }).toBe('Trained')
      return app
    },
  }
}
