import type { Lacking, NodeOptions, Service } from '@icosa/kernel'
import type { Page } from '@icosa/pages'
import type { FastifyReply } from 'fastify'
import { serveConsole } from './console.ts'
import { type ApiDocument, documentsOf, mergedDocument } from './documents.ts'
import type { ReadJournal } from './journal.ts'
import { serveSite } from './site.ts'

type Front = NonNullable<NodeOptions['front']>

/** Content of development mode only. */
export interface DevelopmentFront {
  readonly key?: string
  readonly journal?: ReadJournal
  /** Unmet needs by service. */
  readonly lacking?: (() => Lacking) | undefined
}

/**
 * Serves the root of a node: a page for browsers, a list for programs, and the documents of all APIs. Documents are
 * created at the first request, since few nodes ever get one.
 */
export function front(services: readonly Service[], { key, journal, lacking }: DevelopmentFront = {}): Front {
  const list = { services: services.map(({ name }) => ({ name, url: `/${name}` })) }
  let made: Map<string, ApiDocument> | undefined
  const documents = () => {
    made ??= new Map(documentsOf(services).map((one) => [one.name, one]))
    return made
  }
  const nothing = (name: string) => ({
    error: `There is no API '${name}'. Available: ${[...documents().keys()].join(', ')}.`,
  })

  return ({ app, urlOf }) => {
    serveSite(app)
    serveConsole(app, { key })
    app.get('/', async (request, reply) => {
      reply.header('vary', 'accept')
      if (!request.headers.accept?.includes('text/html')) return list
      const { welcomePage } = await import('./welcome.ts')
      return shown(
        reply,
        welcomePage({
          documents: [...documents().values()],
          url: urlOf(request),
          key,
          hasJournal: journal !== undefined,
          lacking: lacking?.() ?? {},
        }),
      )
    })
    if (journal)
      app.get('/journal', async (request, reply) => {
        const sections = await journal()
        reply.header('vary', 'accept')
        if (!request.headers.accept?.includes('text/html')) return { sections }
        const { journalPage } = await import('./journal-page.ts')
        return shown(reply, journalPage(sections))
      })
    app.get('/openapi.json', async () => mergedDocument([...documents().values()]))
    app.get<{ Params: { name: string } }>('/openapi/:name.json', async ({ params: { name } }, reply) => {
      const found = documents().get(name)
      return found ? found.document : reply.code(404).send(nothing(name))
    })
    app.get<{ Params: { name: string } }>('/reference/:name', async ({ params: { name } }, reply) =>
      documents().has(name) ? reply.redirect(`/docs/reference/${name}.html`) : reply.code(404).send(nothing(name)),
    )
  }
}

const shown = (reply: FastifyReply, { mediaType, headers, body }: Page) =>
  reply.type(mediaType).headers(headers).send(body)
