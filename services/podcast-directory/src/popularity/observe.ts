import type { RequestObserver } from '@icosa/kernel'
import type { Notebook } from './notebook.ts'

export interface ObserverOptions {
  readonly serviceName: string
  /** The header in which whoever stands before the service says where a listener is: two letters. */
  readonly regionHeader: string
  /** The header in which an app may say which of its listeners asks, in any words of its own. */
  readonly listenerHeader: string
}

/** Notes who looks at podcasts and episodes. */
export function visitObserver(
  notebook: Notebook,
  { serviceName, regionHeader, listenerHeader }: ObserverOptions,
): RequestObserver {
  return (tenant, service, exchange) => {
    if (service !== serviceName) return
    const { operation, path, status, request } = exchange()
    const kind = visited[operation]
    if (kind === undefined || status !== 200) return
    const id = path.split('/').at(-1) ?? ''
    const header = (name: string) => String(request.headers[name.toLowerCase()] ?? '')
    notebook.visit({ tenant, kind, id, region: header(regionHeader).toLowerCase(), listener: header(listenerHeader) })
  }
}

const visited: Readonly<Record<string, 'podcast' | 'episode'>> = {
  getPodcastById: 'podcast',
  getEpisodeById: 'episode',
}
