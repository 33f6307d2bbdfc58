import type { Lacking, NodeOptions, Service } from '@icosa/kernel'
import { isNavigation, notFound, shown } from './browser.ts'
import { type SignIn, serveConsole } from './console.ts'
import { type ApiDocument, documentsOf, mergedDocument } from './documents.ts'
import type { ReadJournal } from './journal.ts'
import { serveSite } from './site.ts'

type Front = NonNullable<NodeOptions['front']>

/** Except for the folder and sign-in, content of development mode only. */
export interface FrontOptions {
  /** Folder of the built console. */
  readonly consoleFolder?: string
  /** How people sign in to the console. */
  readonly signIn?: SignIn | undefined
  readonly key?: string
  readonly journal?: ReadJournal
  /** Unmet needs by service. */
  readonly lacking?: (() => Lacking) | undefined
}

/**
 * Serves the root of a node: the console for browsers, a list for programs, and the documents of all APIs. Documents
 * are created at the first request, since few nodes ever get one.
 */
export function front(services: readonly Service[], options: FrontOptions = {}): Front {
  const { key, journal, lacking, consoleFolder, signIn } = options
  const list = { services: services.map(({ name }) => ({ name, url: `/${name}` })) }
  let created: Map<string, ApiDocument> | undefined
  const documents = () => {
    created ??= new Map(documentsOf(services).map((document) => [document.name, document]))
    return created
  }
  const nothing = (name: string) => `There is no API '${name}'. Available: ${[...documents().keys()].join(', ')}.`
  const welcome = async (url: string) => {
    const { welcomePage } = await import('./welcome.ts')
    const shared = { key, url, hasJournal: journal !== undefined, lacking: lacking?.() ?? {} }
    return welcomePage({ ...shared, documents: [...documents().values()] })
  }

  return ({ app, urlOf, onNotFound }) => {
    onNotFound(notFound)
    serveSite(app)
    const { isBuilt } = serveConsole(app, { key, folder: consoleFolder, signIn })
    app.get('/', async (request, reply) => {
      reply.header('vary', 'accept')
      if (!request.headers.accept?.includes('text/html')) return list
      if (isNavigation(request) && (await isBuilt())) return reply.redirect('/console')
      return shown(reply, await welcome(urlOf(request)))
    })
    app.get('/first-calls', async (request, reply) => shown(reply, await welcome(urlOf(request))))
    if (journal)
      app.get('/journal', async (request, reply) => {
        const sections = await journal()
        reply.header('vary', 'accept')
        if (!request.headers.accept?.includes('text/html')) return { sections }
        const { journalPage } = await import('./journal-page.ts')
        return shown(reply, journalPage(sections))
      })
    app.get('/openapi.json', async () => mergedDocument([...documents().values()]))
    app.get<Named>('/openapi/:name.json', async (request, reply) => {
      const { name } = request.params
      return documents().get(name)?.document ?? notFound(request, reply, nothing(name))
    })
    app.get<Named>('/reference/:name', async (request, reply) => {
      const { name } = request.params
      return documents().has(name)
        ? reply.redirect(`/docs/reference/${name}.html`)
        : notFound(request, reply, nothing(name))
    })
  }
}

interface Named {
  readonly Params: { readonly name: string }
}
