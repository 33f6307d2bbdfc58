import axe, { type AxeResults } from 'axe-core'
import type { ConsoleNode } from './node.ts'

type Strings = Readonly<Record<string, string>>

interface View {
  readonly id: string
  readonly title: string
  readonly parent?: unknown
  readonly create?: string
  readonly update?: string
  readonly delete?: string
  readonly actions: readonly { readonly id: string }[]
}

interface ServiceCatalogue {
  readonly name: string
  readonly views: readonly View[]
}

const modes = [
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
] as const

export interface Crawled {
  readonly flaws: readonly string[]
  /** Views by what of them was opened. */
  readonly opened: Readonly<Record<'list' | 'form' | 'item' | 'action', readonly string[]>>
}

/**
 * Opens every view of the catalogue with the forms, items and actions that it has, and follows items to the lists inside them.
 * Where `isThorough`, each is checked in all four modes; otherwise in one, in turn, with a quarter of the forms and empty
 * lists and the first action of each item.
 */
export async function crawl(console: ConsoleNode, key: string, { isThorough = false } = {}): Promise<Crawled> {
  const crawler = new Crawler(console, isThorough)
  const read = async (path: string) =>
    (await fetch(`${console.app.url}/platform/catalogue${path}`, { headers: { 'x-api-key': key } })).json()
  const { services } = (await read('')) as { services: { name: string }[] }
  await console.page.evaluate(axe.source)
  for (const { name } of services) await crawler.service((await read(`/${name}`)) as ServiceCatalogue)
  return crawler
}

class Crawler implements Crawled {
  readonly flaws: string[] = []
  readonly opened: Record<keyof Crawled['opened'], string[]> = { list: [], form: [], item: [], action: [] }
  readonly #console: ConsoleNode
  readonly #isThorough: boolean
  #turn = 0

  constructor(console: ConsoleNode, isThorough: boolean) {
    this.#console = console
    this.#isThorough = isThorough
  }

  async service(service: ServiceCatalogue): Promise<void> {
    const rest = new Set(service.views)
    for (const view of service.views) if (!view.parent) await this.#view(service, view, {}, rest)
    // Lists inside items of which there are none
    for (const view of rest) await this.#view(service, view, {}, rest)
  }

  get #page() {
    return this.#console.page
  }

  async #view(service: ServiceCatalogue, view: View, scope: Strings, rest: Set<View>): Promise<void> {
    rest.delete(view)
    const place = { path: `/${service.name}/${view.id}`, scope }
    const main = this.#page.locator('main')
    await this.#open(place)
    await main.getByRole('heading', { level: 1, name: view.title, exact: true }).waitFor()
    await main.locator('table, .empty, .problem').first().waitFor()
    const problem = main.locator('.problem')
    if (!view.parent && (await problem.count()) > 0)
      this.flaws.push(`${place.path}: ${await problem.first().textContent()}`)
    const rows = main.locator('a.row')
    await this.#check('list', place.path, (await rows.count()) === 0)
    if (view.create) await this.#form(place, view.create, (await rows.count()) === 0)
    await this.#console.settled()
    if ((await rows.count()) === 0) return
    const href = (await rows.first().getAttribute('href')) ?? ''
    await this.#item(place.path, view, href)
    const links = await this.#page.locator('.inspector > .links a').evaluateAll((all) => all.map(String))
    for (const link of links) {
      const { pathname, searchParams } = new URL(link)
      const child = [...rest].find(({ id }) => pathname.endsWith(`/${id}`))
      if (child) await this.#view(service, child, JSON.parse(searchParams.get('scope') ?? '{}'), rest)
    }
  }

  /** The form for a new resource, which is sent unchanged if there is none. */
  async #form(place: { path: string; scope: Strings }, create: string, isNeeded: boolean): Promise<void> {
    await this.#open({ ...place, act: 'create' })
    const dialog = this.#page.getByRole('dialog')
    await dialog.locator('form').waitFor()
    await this.#check('form', `${place.path} ${create}`, true)
    if (isNeeded) {
      await dialog.getByRole('button', { name: 'Create', exact: true }).click()
      await this.#page
        .locator('.sheet :is(.problem, .wrong), .sheet:not(:has(form)), body:not(:has(.sheet))')
        .first()
        .waitFor()
    }
    await this.#open(place)
    await dialog.waitFor({ state: 'detached' })
  }

  async #item(path: string, view: View, href: string): Promise<void> {
    const url = new URL(href, this.#console.app.url)
    const item = JSON.parse(url.searchParams.get('item') ?? '{}')
    const scope = JSON.parse(url.searchParams.get('scope') ?? '{}')
    await this.#open({ path, scope, item })
    const inspector = this.#page.getByRole('complementary')
    await inspector.locator('.fields, .problem').first().waitFor()
    await this.#check('item', path)
    const acts = [view.update, ...view.actions.map(({ id }) => id), view.delete].filter((act) => act !== undefined)
    for (const act of this.#isThorough ? acts : acts.slice(0, 1)) {
      await this.#open({ path, scope, item, act })
      await this.#page.getByRole('dialog').locator('form').waitFor()
      await this.#check('action', `${path} ${act}`)
    }
    await this.#open({ path, scope, item })
    await this.#page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  async #open({ path, act, ...json }: { path: string; scope?: Strings; item?: Strings; act?: string }): Promise<void> {
    const search = new URLSearchParams({
      ...Object.fromEntries(Object.entries(json).map(([name, value]) => [name, JSON.stringify(value)])),
      ...(act !== undefined && { act }),
    })
    await this.#console.go(`${path}?${search}`)
  }

  /** Forms have the same parts, and empty lists are all alike: a quarter of them is enough. */
  async #check(kind: keyof Crawled['opened'], what: string, isAlike = false): Promise<void> {
    const isTurn = this.opened[kind].push(what) % 4 === 1
    if (isAlike && !this.#isThorough && !isTurn) return
    const mode = modes[this.#turn++ % modes.length]
    for (const one of mode && !this.#isThorough ? [mode] : modes) await this.#look(one, `${kind} ${what}`)
  }

  async #look({ width, colorScheme }: (typeof modes)[number], what: string): Promise<void> {
    const page = this.#page
    if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // The frame is the same everywhere, and checked by console.test.ts.
    const part = `document.querySelector('.sheet') ?? document.querySelector('main')`
    const { violations } = await page.evaluate<AxeResults>(`axe.run(${part}, { resultTypes: ['violations'] })`)
    const where = `${what} at ${width}, ${colorScheme}`
    this.flaws.push(...violations.map(({ id, nodes }) => `${where}: ${id} at ${nodes[0]?.target}`))
    if (await page.evaluate('document.scrollingElement.scrollWidth > innerWidth')) this.flaws.push(`${where}: too wide`)
    const folder = process.env.SCREENSHOTS
    const name = `${what.replace(/[^\w]+/g, '-')}.${width}.${colorScheme}.png`
    if (folder) await page.screenshot({ path: `${folder}/${name}` })
  }
}
