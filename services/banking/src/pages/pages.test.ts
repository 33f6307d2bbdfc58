import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import axe, { type AxeResults } from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
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
  const places = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'chromium'))
  const executablePath = process.env.CHROMIUM ?? (places.find((place) => existsSync(place)) as string)
  browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu'] })
  page = await browser.newPage({ viewport: { width: 360, height: 740 } })
})
afterAll(async () => {
  await browser.close()
  await bank[Symbol.asyncDispose]()
})

/** On a telephone, by day and by night: nothing that the rules of accessibility are against, nothing too wide. */
async function look(name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate<AxeResults>('axe.run(document)')
    expect
      .soft(
        violations.map(({ id, nodes }) => `${id} at ${nodes[0]?.target}`),
        `${name}, ${colorScheme}`,
      )
      .toEqual([])
    expect.soft(await page.evaluate('document.scrollingElement.scrollWidth > innerWidth'), name).toBe(false)
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: join(process.env.SCREENSHOTS, `bank-${name}-${colorScheme}.png`) })
  }
}

/** The public address of the bank in tests is not where it listens. */
const here = (url: string) => bank.url + url.slice(url.indexOf('/pay/'))

async function tab(amount: string): Promise<{ url: string; itemId: string }> {
  const entry = {
    amount_inquired: euros(amount),
    description: 'Cake <b>& tea</b>',
    redirect_url: 'https://shop.example/thanks',
  }
  const itemId = idOf(await ada.ask.createTab({ params: ada.account, body: { vendorme_tab_entry: entry } }))
  const { body } = await ada.ask.getTab({ params: { ...ada.account, itemId } })
  return { url: here(body.Response[0]?.VendorMeTab.vendorme_tab_share_url as string), itemId }
}

test('somebody pays a tab on a telephone: what is asked for, a confirmation, a receipt; both are told', async () => {
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
  expect(await bank.balance(ada), 'not yet').toBe('0.00')
  await page.getByRole('button', { name: 'Pay €12.50' }).click()
  await look('receipt')
  expect(await page.getByRole('link').getAttribute('href')).toBe('https://shop.example/thanks')
  expect([await bank.balance(ada), await bank.balance(bram)]).toEqual(['12.50', '87.50'])

  const { body } = await ada.ask.getTab({ params: { ...ada.account, itemId } })
  expect(body.Response[0]?.VendorMeTab).toMatchObject({
    status: 'PAID',
    result_inquiries: [{ payment: { amount: euros('12.50') } }],
  })
  for (const [customer, kind] of [
    [ada, 'VendorMeTab'],
    [bram, 'VendorMeTabResultResponse'],
  ] as const) {
    const { body: events } = await customer.ask.listEvents({ params: customer.user })
    expect(events.Response.flatMap(({ Event }) => Object.keys(Event.object))).toContain(kind)
  }
  await page.goto(url)
  await look('paid')
  expect(await page.textContent('main')).toContain('This was paid already.')
})

test('a fundraiser takes any amount, once for each form', async () => {
  const body = { monetary_account_id: Number(ada.account['monetary-accountID']), description: 'A new roof' }
  const itemId = idOf(await ada.ask.createFundraiserProfile({ params: ada.user, body }))
  const { body: profile } = await ada.ask.getFundraiserProfile({ params: { ...ada.user, itemId } })
  await page.goto(here(profile.Response[0]?.VendorMeFundraiserProfile.pointer.value as string))
  await look('fundraiser')
  await page.getByLabel('Amount').fill('2,50')
  await page.getByLabel('Key of your sandbox user').fill(bram.key)
  await page.getByRole('button', { name: 'Continue' }).click()
  const before = Number(await bank.balance(ada))
  await page.getByRole('button', { name: 'Pay €2.50' }).click()
  await expect.poll(async () => Number(await bank.balance(ada))).toBe(before + 2.5)
  await page.reload() // which sends the form again
  expect(Number(await bank.balance(ada)) - before).toBe(2.5)
})

test('an address that was made up, or changed, asks for nothing', async () => {
  const { url } = await tab('1.00')
  const changed = url.replace(/\.tab\.(\d+)\./, (_, id: string) => `.tab.${Number(id) + 1}.`)
  for (const wrong of [changed, `${bank.url}/pay/nothing`]) expect((await fetch(wrong)).status).toBe(404)
  const answer = await fetch(url)
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
})
