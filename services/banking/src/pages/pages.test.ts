import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { flawsOf, openChromium } from '@icosa/testing/browser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bank, type Customer, euros, idOf, openBank } from '../testing/bank.ts'

let bank: Bank
let ada: Customer
let bram: Customer
let browser: Browser
let page: Page

beforeAll(async () => {
  bank = await openBank()
  ada = await bank.customer()
  bram = await bank.customer('100.00')
  browser = await openChromium()
  page = await browser.newPage({ viewport: { width: 360, height: 740 } })
})
afterAll(async () => {
  await browser.close()
  await bank[Symbol.asyncDispose]()
})

const look = async (name: string) => expect.soft(await flawsOf(page, `bank-${name}`)).toEqual([])

/** In tests the bank does not listen at its public URL. */
const localUrl = (url: string) => bank.url + url.slice(url.indexOf('/pay/'))

async function tab(amount: string): Promise<{ url: string; itemId: string }> {
  const entry = {
    amount_inquired: euros(amount),
    description: 'Cake <b>& tea</b>',
    redirect_url: 'https://shop.example/thanks',
  }
  const itemId = idOf(await ada.api.createTab({ params: ada.account, body: { vendorme_tab_entry: entry } }))
  const { body } = await ada.api.getTab({ params: { ...ada.account, itemId } })
  return { url: localUrl(body.Response[0]?.VendorMeTab.vendorme_tab_share_url as string), itemId }
}

test('a tab is paid on a phone: request, confirmation, receipt, and events for both users', async () => {
  const { url, itemId } = await tab('12.50')
  await page.goto(url)
  await look('asked')
  expect(await page.textContent('main')).toContain('€12.50')
  expect(await page.textContent('main')).toContain('Cake <b>& tea</b>')
  await page.getByLabel('Key of your sandbox user').fill('sandbox_wrong')
  await page.getByRole('button', { name: 'Continue' }).click()
  await look('problem')
  expect(await page.textContent('[role=alert]')).toContain('not the key of a user')
  await page.getByLabel('Key of your sandbox user').fill(bram.key)
  await page.getByRole('button', { name: 'Continue' }).click()
  await look('confirmation')
  expect(await bank.balance(ada), 'before confirmation').toBe('0.00')
  await page.getByRole('button', { name: 'Pay €12.50' }).click()
  await look('receipt')
  expect(await page.getByRole('link').getAttribute('href')).toBe('https://shop.example/thanks')
  expect([await bank.balance(ada), await bank.balance(bram)]).toEqual(['12.50', '87.50'])

  const { body } = await ada.api.getTab({ params: { ...ada.account, itemId } })
  expect(body.Response[0]?.VendorMeTab).toMatchObject({
    status: 'PAID',
    result_inquiries: [{ id: expect.any(Number), payment: { amount: euros('12.50') } }],
  })
  for (const [customer, kind] of [
    [ada, 'VendorMeTab'],
    [bram, 'VendorMeTabResultResponse'],
  ] as const) {
    const { body: events } = await customer.api.listEvents({ params: customer.user })
    expect(events.Response.flatMap(({ Event }) => Object.keys(Event.object))).toContain(kind)
  }
  const { body: events } = await bram.api.listEvents({ params: bram.user })
  const objects = events.Response.map(({ Event }) => Event.object as { VendorMeTabResultResponse?: { id: number } })
  const id = objects.find((object) => object.VendorMeTabResultResponse)?.VendorMeTabResultResponse?.id
  expect(body.Response[0]?.VendorMeTab.result_inquiries[0]?.id).toBe(id)
  const { body: result } = await bram.api.getTabResultResponse({ params: { ...bram.account, itemId: String(id) } })
  expect(result.Response[0]?.VendorMeTabResultResponse).toMatchObject({ id, payment: { amount: euros('-12.50') } })
  await page.goto(url)
  await look('paid')
  expect(await page.textContent('main')).toContain('This has already been paid.')
})

test('a fundraiser accepts any amount, once per form', async () => {
  const body = { monetary_account_id: Number(ada.account['monetary-accountID']), description: 'A new roof' }
  const itemId = idOf(await ada.api.createFundraiserProfile({ params: ada.user, body }))
  const { body: profile } = await ada.api.getFundraiserProfile({ params: { ...ada.user, itemId } })
  await page.goto(localUrl(profile.Response[0]?.VendorMeFundraiserProfile.pointer.value as string))
  await look('fundraiser')
  await page.getByLabel('Amount').fill('2,50')
  await page.getByLabel('Key of your sandbox user').fill(bram.key)
  await page.getByRole('button', { name: 'Continue' }).click()
  const before = Number(await bank.balance(ada))
  await page.getByRole('button', { name: 'Pay €2.50' }).click()
  await expect.poll(async () => Number(await bank.balance(ada))).toBe(before + 2.5)
  await page.reload() // which sends the form again
  expect(Number(await bank.balance(ada)) - before).toBe(2.5)
  const { body: byProfile } = await ada.api.getFundraiserResult({ params: { ...ada.account, itemId } })
  const result = byProfile.Response[0]?.VendorMeFundraiserResult
  expect(result?.payments, 'by the id of the profile').toMatchObject([{ Payment: { amount: euros('2.50') } }])
  const { body: byResult } = await ada.api.getFundraiserResult({
    params: { ...ada.account, itemId: String(result?.id) },
  })
  expect(byResult).toEqual(byProfile)
})

test('a forged or manipulated share URL is not found', async () => {
  const { url } = await tab('1.00')
  const changed = url.replace(/\.tab\.(\d+)\./, (_, id: string) => `.tab.${Number(id) + 1}.`)
  for (const wrong of [changed, `${bank.url}/pay/nothing`]) expect((await fetch(wrong)).status).toBe(404)
  const response = await fetch(url)
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
})

test('a user authorizes an application and is redirected to it', async () => {
  await using shop = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>Back</p>'))
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/back`
  const itemId = idOf(await ada.api.createOauthClient({ params: ada.user, body: {} }))
  await ada.api.createCallbackUrl({ params: { ...ada.user, 'oauth-clientID': itemId }, body: { url } })
  const { body } = await ada.api.getOauthClient({ params: { ...ada.user, itemId } })
  const client_id = body.Response[0]?.OauthClient.client_id as string
  const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri: url, state: 'mine' })
  await page.goto(`${bank.url}/auth?${query}`)
  await look('consent')
  await page.getByLabel('Key of your sandbox user').fill(bram.key)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(/\/back\?/)
  const back = new URL(page.url()).searchParams
  expect([back.get('state'), back.get('code')]).toEqual(['mine', expect.stringMatching(/^\d+\.[0-9a-f]{64}$/)])
  await page.goto(`${bank.url}/auth?${query}`)
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.waitForURL(/error=access_denied/)
})
