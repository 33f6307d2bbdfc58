import type { Blobs, Context, Platform, RequestObserver, Service } from '@icosa/kernel'
import { type Notebook, openNotebook } from './notebook.ts'

/** What nodes note of searches and visits while they answer, for what is popular. */
export interface Notebooks {
  /** The notebook of the node that answers. */
  of(context: Pick<Context, 'blobs'>): Notebook | undefined
  /** Opens a node's notebook, and writes the last of it when the node stops. */
  readonly routes: NonNullable<Service['routes']>
  /** Notes who looks at podcasts and episodes. */
  readonly observe: (platform: Platform) => RequestObserver
}

export interface NotebooksOptions {
  readonly serviceName: string
  /** The header in which whoever stands before the service says where a listener is: two letters. */
  readonly regionHeader: string
  /** The header in which an app may say which of its listeners asks, in any words of its own. */
  readonly listenerHeader: string
}

export function notebooks({ serviceName, regionHeader, listenerHeader }: NotebooksOptions): Notebooks {
  // A node is known by its blobs: one process may have several nodes.
  const open = new WeakMap<Blobs, Notebook>()

  return {
    of: ({ blobs }) => open.get(blobs),

    routes:
      ({ platform }) =>
      async (app) => {
        const notebook = openNotebook(platform)
        open.set(platform.blobs, notebook)
        app.addHook('onClose', () => notebook.flush())
      },

    observe: (platform) => (tenant, service, exchange) => {
      const notebook = open.get(platform.blobs)
      if (service !== serviceName || !notebook) return
      const { operation, path, status, request } = exchange()
      const kind = visited[operation]
      if (kind === undefined || status !== 200) return
      const id = path.split('/').at(-1) ?? ''
      const header = (name: string) => String(request.headers[name.toLowerCase()] ?? '')
      notebook.visit({ tenant, kind, id, region: header(regionHeader).toLowerCase(), listener: header(listenerHeader) })
    },
  }
}

const visited: Readonly<Record<string, 'podcast' | 'episode'>> = {
  getPodcastById: 'podcast',
  getEpisodeById: 'episode',
}
