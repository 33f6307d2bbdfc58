import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { formsOf, skeletonOf, tagsOf, textOf } from '@icosa/pages/testing/markup'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accountPage } from './account/account.ts'
import { assets } from './assets.ts'
import { messagePage } from './message.ts'
import { consentPage } from './sign-in/consent.ts'
import { signInPage } from './sign-in/sign-in.ts'
import { accountOf, action, base, calm, clientOf, everyPage, frameOf } from './testing/examples.ts'

const pages = Object.entries(everyPage(calm))
const step = { ...frameOf(calm), problem: undefined, action, client: clientOf(calm) }
const person = { name: 'Ada Lovelace', email: 'ada@example.com' }
const sheetsOf = (page: string) =>
  tagsOf(page).flatMap(({ attributes }) => (attributes.rel === 'stylesheet' ? attributes.href : []))

test('no text of any view creates an element or an attribute', () => {
  const skeletons = Object.values(everyPage(calm)).map(skeletonOf)
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.string({ unit: fc.constantFrom(...'<>"\'&=/ a'), minLength: 1 }),
    fc.constantFrom('</title><script>alert(1)</script>', '" onfocus="alert(1)" autofocus="', '</textarea><img src=x>'),
  )
  const texts = fc.infiniteStream(hostile)
  fc.assert(
    fc.property(texts, (stream) => {
      const hostilePages = everyPage(() => stream.next().value)
      expect(Object.values(hostilePages).map(skeletonOf)).toEqual(skeletons)
    }),
    { numRuns: 60 },
  )
})

describe.each(pages)('the page %s', (_, page) => {
  const tags = tagsOf(page)
  const ids = tags.flatMap(({ attributes }) => attributes.id ?? [])
  const tagsNamed = (name: string) => tags.filter((tag) => tag.name === name)

  test('has nothing inline and loads scripts and styles only from our files', () => {
    expect(tagsNamed('style')).toEqual([])
    for (const { attributes } of tags)
      for (const name of Object.keys(attributes)) expect(name).not.toMatch(/^(style|on.*|srcdoc|formaction)$/)
    const linked = [...tagsNamed('script').map((tag) => tag.attributes.src), ...sheetsOf(page)]
    for (const address of linked) {
      const [, file] = /^\/identity-connect\/assets\/([\w.]+)$/.exec(address ?? '') ?? []
      expect(file === 'theme.css' || assets.has(file ?? ''), address).toBe(true)
    }
    expect(page).not.toMatch(/<script[^>]*>[^<]/)
  })

  test('has a language, a title, one heading and landmarks', () => {
    expect(tagsNamed('html')[0]?.attributes.lang).toBe('en')
    expect(page).toMatch(/^<!doctype html>\n<html/)
    expect(page).toMatch(/<title>Problem: .+ – Icosa<\/title>/)
    for (const name of ['h1', 'main', 'header', 'footer', 'title']) expect(tagsNamed(name), name).toHaveLength(1)
  })

  test('labels every field, and all id references resolve', () => {
    expect(new Set(ids).size).toBe(ids.length)
    const labelled = new Set(tagsNamed('label').map((tag) => tag.attributes.for))
    const fields = tags.filter(({ name }) => ['input', 'select', 'textarea'].includes(name))
    for (const { attributes } of fields.filter((field) => field.attributes.type !== 'hidden')) {
      expect(labelled).toContain(attributes.id)
      expect(attributes.autocomplete ?? attributes.type).toMatch(/./)
    }
    const references = ['for', 'aria-describedby', 'aria-labelledby', 'aria-controls']
    const referenced = tags.flatMap(({ attributes }) =>
      references.flatMap((name) => attributes[name]?.split(' ') ?? []),
    )
    expect(referenced.filter((id) => !ids.includes(id))).toEqual([])
  })

  test('announces the problem and the notice', () => {
    expect(page).toMatch(/<p class="problem" role="alert" id="problem">That is not right\./)
    expect(page).toContain('<p class="notice" role="status">Your password was changed.</p>')
  })
})

/** Forms and their fields, as documented in views.ts. */
const documented: Readonly<Record<string, readonly (readonly string[])[]>> = {
  '/sign-in': [['email', 'password']],
  '/passkey': [['assertion']],
  '/cancel': [[]],
  '/sign-up': [['name', 'email', 'password']],
  '/consent': [[]],
  '/forgot': [['email']],
  '/reset': [['token', 'password']],
  '/verify': [['token'], ['token', 'password']],
  '/account/profile': [
    ['name', 'given_name', 'family_name', 'phone_number', 'locale', 'zoneinfo', 'street_address'].concat([
      'postal_code',
      'locality',
      'region',
      'country',
    ]),
  ],
  '/account/password': [['current', 'password'], ['password']],
  '/account/verify': [[]],
  '/account/passkeys': [['attestation', 'name']],
  '/account/passkeys/<id>/delete': [[]],
  '/account/sessions/<id>/end': [[]],
  '/account/grants/<clientId>/revoke': [[]],
  '/account/delete': [['password'], []],
  '/account/sign-out': [[]],
}

test('every form posts the fields to the path documented in views.ts, and no path is missing', () => {
  const contract = readFileSync(new URL('views.ts', import.meta.url), 'utf8')
  for (const path of Object.keys(documented)) expect(contract).toMatch(new RegExp(`${path}(?![\\w/-])`))
  const posted = new Set<string>()
  for (const [name, page] of pages) {
    expect(tagsOf(page).filter((tag) => tag.name === 'form' && tag.attributes.method !== 'post')).toEqual([])
    for (const form of formsOf(page).filter(() => name !== 'sign-out')) {
      const path = form.action.replace(action, '').replace(base, '')
      const pattern = path.replace('/grants/id/', '/grants/<clientId>/').replace('/id/', '/<id>/')
      expect(documented[pattern], pattern).toContainEqual(form.fields)
      posted.add(pattern)
    }
  }
  expect([...posted].sort()).toEqual(Object.keys(documented).sort())
  const [signOut] = formsOf(everyPage(calm)['sign-out'])
  expect(signOut).toEqual({ action: `${base}/session/end/confirm`, fields: ['xsrf', 'logout'] })
})

test.each(['popup', 'modal'] as const)('a %s has no link that leaves the step', (display) => {
  const endings = ['message', 'verify elsewhere', 'end of the window of a modal']
  const leading = Object.entries(everyPage(calm, display)).flatMap(([name, page]) =>
    tagsOf(page)
      .filter((tag) => tag.name === 'a' && !endings.includes(name) && tag.attributes.target !== '_blank')
      .flatMap(({ attributes }) => attributes.href ?? []),
  )
  expect(leading.filter((href) => href !== action && !href.startsWith(`${action}/`) && !href.startsWith('#'))).toEqual(
    [],
  )
  expect(everyPage(calm, display)['sign-in']).not.toMatch(/<header|<footer/)
  expect(everyPage(calm, 'page').forgot).toMatch(/<header class="bar">/)
})

test('script URLs are omitted, and logos are loaded only over https', () => {
  const bad = 'javascript:alert(1)'
  const client = {
    name: 'Bad',
    uri: bad,
    logoUri: 'http://notes.example/logo',
    policyUri: bad,
    tosUri: 'data:text/html,x',
  }
  const consent = consentPage({ ...step, client, person, scopes: [] })
  expect(consent).not.toMatch(/javascript:|data:text|<img|<a /)
  const link = (href: string) => messagePage({ ...step, title: 'A', text: 'b', link: { href, label: 'go' } })
  for (const href of [bad, '//evil.example', '/\\evil.example', 'JAVASCRIPT:x']) expect(link(href)).not.toContain('<a ')
  for (const href of ['/identity-connect/account', 'https://notes.example/'])
    expect(link(href)).toContain(`href="${href}"`)
  const logo = tagsOf(signInPage({ ...step, signUpOffered: false })).find(({ name }) => name === 'img')
  expect(logo?.attributes).toMatchObject({ alt: 'Logo of Example Notes', referrerpolicy: 'no-referrer', width: '48' })
})

test('consent lists what is shared with which client, and marks new scopes', () => {
  const email = { scope: 'email', label: 'Your e-mail address', shares: ['ada@example.com'], isNew: true }
  const away = { scope: 'offline_access', label: 'The same while you are away', shares: [], isNew: true }
  const words = (...scopes: (typeof email)[]) => textOf(consentPage({ ...step, person, scopes }))
  expect(words(email, away)).toContain(
    'Icosa will tell Example Notes: Your e-mail address ada@example.com It also asks for:',
  )
  expect(words(away)).toContain('Example Notes asks for: The same while you are away')
  expect(words()).toContain('Icosa will tell Example Notes that it is you, and nothing else about you.')
  expect(words(email, away)).not.toContain('New')
  expect(words(email, { ...away, isNew: false })).toContain('Your e-mail address New')
})

test('an invitation is for one address, and has no sign-in link', () => {
  const invited = everyPage(calm)['sign-up by invitation']
  expect(tagsOf(invited).find(({ attributes }) => attributes.name === 'email')?.attributes).toHaveProperty('readonly')
  expect(invited).not.toContain('<a ')
  expect(everyPage(calm)['sign-up']).toContain(`<a href="${action}">Sign in</a>`)
})

test('new passwords have length rules, current ones do not', () => {
  const inputs = tagsOf(everyPage(calm).account).filter(({ attributes }) => attributes.type === 'password')
  const rules = inputs.map(({ attributes: { autocomplete, minlength, maxlength } }) => [
    autocomplete,
    minlength,
    maxlength,
  ])
  const current = ['current-password', undefined, undefined]
  expect(rules).toEqual([current, ['new-password', '12', '128'], current])
})

test('a problem is linked to the fields of its own form', () => {
  const view = { ...accountOf(calm), problemAt: 'password' } as const
  const tied = tagsOf(accountPage(view)).filter(({ attributes }) => attributes['aria-describedby']?.includes('problem'))
  expect(tied.map(({ attributes }) => attributes.id)).toEqual(['current', 'password'])
  expect(accountPage(view)).toContain('<a href="#password-section">')
})

test("times are in the user's time zone, or UTC if it is invalid", () => {
  const view = accountOf(calm)
  const inZone = (zoneinfo: string) =>
    textOf(accountPage({ ...view, person: { ...view.person, profile: { zoneinfo } } }))
  expect(inZone('Asia/Tokyo')).toContain('15 Mar 2030, 08:30')
  expect(inZone('Middle-earth/Shire')).toContain('14 Mar 2030, 23:30 UTC')
})

test('a theme is linked after our stylesheet', () => {
  const sheets = (themed?: boolean) => sheetsOf(signInPage({ ...step, themed, signUpOffered: true }))
  expect(sheets(true)).toEqual([`${base}/assets/style.css`, `${base}/assets/theme.css`])
  expect(sheets()).toEqual([`${base}/assets/style.css`])
})

test('assets are small, have media types, and load nothing from elsewhere', async () => {
  for (const name of ['passkey.js', 'password.js', 'style.css']) expect(assets.has(name), name).toBe(true)
  for (const [name, { mediaType, size, open }] of assets) {
    const isStyle = name.endsWith('.css')
    const content = await text(await open({ start: 0, end: size - 1 }))
    expect(mediaType).toBe(isStyle ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8')
    expect(size, name).toBeLessThan(isStyle ? 8_000 : 4_000)
    expect(content).not.toMatch(/https?:|url\(|@import|innerHTML|\beval\b/)
  }
})
