import { startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brailleTranslation } from '../index.ts'

let app: TestApp
let key = ''
beforeAll(async () => {
  app = await startTestApp(brailleTranslation)
  key = await app.key('ada')
})
afterAll(() => app[Symbol.asyncDispose]())

const withKey = (more: Record<string, string> = {}) => ({ 'X-Funtranslations-Api-Secret': key, ...more })
const call = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${app.url}/braille-translation${path}`, init)
  return { status: response.status, type: response.headers.get('content-type'), body: await response.json() }
}

const paths = ['', '/dots', '/unicode', '/image', '/html']
const text = 'Hello world'

test.each(paths)(
  'the original spellings of /translate/braille%s return the same as the specified one',
  async (suffix) => {
    const at = `/translate/braille${suffix}`
    const query = `text=${encodeURIComponent(text)}`
    const specified = await call(`${at}?${query}`, { headers: withKey() })
    expect(specified).toMatchObject({ status: 200, body: { contents: { text } } })

    const form = {
      method: 'POST',
      headers: withKey({ 'content-type': 'application/x-www-form-urlencoded' }),
      body: query,
    }
    const json = {
      method: 'POST',
      headers: withKey({ 'content-type': 'application/json' }),
      body: JSON.stringify({ text }),
    }
    const bare = { method: 'POST', headers: withKey() }
    expect(await call(`${at}.json?${query}`, { headers: withKey() })).toEqual(specified)
    for (const path of [at, `${at}.json`]) {
      expect(await call(path, form)).toEqual(specified)
      expect(await call(path, json)).toEqual(specified)
      expect(await call(`${path}?${query}`, bare)).toEqual(specified)
    }
    const accept = { headers: withKey({ accept: 'text/html, image/png' }) }
    expect(await call(`${at}.json?${query}`, accept), '.json is JSON, whatever the browser accepts').toEqual(specified)
  },
)

test('a valid key in the query authenticates like one in the header', async () => {
  for (const path of ['/translate/braille.json', '/translate/braille']) {
    expect((await call(`${path}?text=x&api_key=${key}`)).status).toBe(200)
    expect((await call(`${path}?text=x&api_key=wrong`)).status).toBe(401)
    expect((await call(`${path}?text=x&api_key=`)).status).toBe(401)
    expect((await call(`${path}?api_key=${key}`, { method: 'POST', body: new URLSearchParams({ text }) })).status).toBe(
      200,
    )
  }
  const both = await call(`/translate/braille?text=x&api_key=${key}`, {
    headers: withKey({ 'X-Vendor-Api-Secret': 'wrong' }),
  })
  expect(both.status, 'the header decides').toBe(401)
})

test('a text is required, in the query or in the body', async () => {
  expect(await call('/translate/braille.json', { method: 'POST', headers: withKey() })).toMatchObject({
    status: 400,
    body: { error: { code: 400, message: /text is required/ } },
  })
  const long = JSON.stringify({ text: 'x'.repeat(10_001) })
  const headers = withKey({ 'content-type': 'application/json' })
  expect((await call('/translate/braille', { method: 'POST', headers, body: long })).status).toBe(400)
})

test('a table can be posted as well', async () => {
  const body = new URLSearchParams({ text: 'Schule', table: 'de-g1.ctb' })
  expect(await call('/translate/braille/unicode.json', { method: 'POST', headers: withKey(), body })).toMatchObject({
    body: { contents: { translation: { source: 'german' } } },
  })
})
