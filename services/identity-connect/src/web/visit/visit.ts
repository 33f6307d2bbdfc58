import type { IncomingMessage } from 'node:http'
import { type Exchange, Failure, networkOf, type RouteHost } from '@icosa/kernel'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { serviceName } from '../../names.ts'
import type { Display, Frame } from '../../pages/views.ts'
import type { Devices } from '../../passwords/devices.ts'
import { type PeopleContext, peopleContext } from '../../people/context.ts'
import { modalWindow } from '../../provider/exchange/handover.ts'
import { asRequest, ReplayedRequest } from '../../provider/exchange/replayed-request.ts'
import type { ServiceRuntime } from '../../runtime.ts'
import type { Parts } from '../routes.ts'
import { devicesOf } from './devices.ts'

/** One request of somebody at a browser. */
export interface Visit {
  readonly exchange: Exchange
  readonly provider: Provider
  readonly people: PeopleContext
  /** The path of the service, and its whole address. */
  readonly base: string
  readonly issuer: string
  readonly form: URLSearchParams
  /** Where the request came from on the network. */
  readonly address: string
  /** On which somebody has signed in before, as the browser says. */
  readonly devices: Devices | undefined
  readonly parts: Parts
  frame(more?: Partial<Frame>): Frame
  /** The request as the library reads it. */
  readonly request: IncomingMessage
}

export async function visitOf(
  parts: Parts,
  host: RouteHost<ServiceRuntime>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visit> {
  const { settings, sendMail } = parts
  const exchange = host.exchangeOf(request, reply.raw)
  refuseForeignForm(request, exchange.url)
  const { provider, mount: base } = await exchange.runtime.providers.at(exchange.url)
  const { issuer } = provider
  return {
    exchange,
    provider,
    people: peopleContext(host.platform, {
      service: serviceName,
      sendMail,
      brand: settings.brand,
      page: (name) => `${issuer}/${name}`,
    }),
    base,
    issuer,
    form: new URLSearchParams(Buffer.from(exchange.body ?? []).toString()),
    address: networkOf(request.ip),
    devices: devicesOf(request, { base, issuer }),
    parts,
    frame: (more) => ({
      base,
      brand: settings.brand,
      display: 'page',
      themed: settings.theme !== undefined,
      ...more,
    }),
    request: asRequest(new ReplayedRequest(exchange, { path: exchange.url.pathname + exchange.url.search, mount: '' })),
  }
}

/** Cookies come along whoever sends a form; a page of another site must not be able to act for its visitors. */
function refuseForeignForm({ method, headers }: FastifyRequest, { origin }: URL): void {
  if (method === 'GET') return
  const from = headers.origin ?? (isOwn(headers['sec-fetch-site']) ? origin : 'nowhere')
  if (from !== origin) throw new Failure('forbidden', 'This form came from another site. Open our page and try again.')
}

/** Browsers that send neither header are too old for passkeys, and programs have no cookies to misuse. */
const isOwn = (site: string | string[] | undefined) => site === undefined || site === 'same-origin' || site === 'none'

/** A modal's own window looks like a popup. Nothing of a modal is ever asked in its frame. */
export const displayOf = (value: unknown): Display =>
  value === 'popup' || value === 'modal' || value === modalWindow ? 'popup' : 'page'
