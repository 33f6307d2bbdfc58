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

/** A request from a browser. */
export interface Visit {
  readonly exchange: Exchange
  readonly provider: Provider
  readonly people: PeopleContext
  /** The path of the service; `issuer` is its whole URL. */
  readonly base: string
  readonly issuer: string
  readonly form: URLSearchParams
  /** The client's network. */
  readonly address: string
  /** From the device cookie. */
  readonly devices: Devices | undefined
  readonly parts: Parts
  frame(overrides?: Partial<Frame>): Frame
  /** For the library. */
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
    frame: (overrides) => ({
      base,
      brand: settings.brand,
      display: 'page',
      themed: settings.theme !== undefined,
      ...overrides,
    }),
    request: asRequest(new ReplayedRequest(exchange, { path: exchange.url.pathname + exchange.url.search, mount: '' })),
  }
}

/** Prevents CSRF: browsers send cookies with forms of other sites, too. */
function refuseForeignForm({ method, headers }: FastifyRequest, { origin }: URL): void {
  if (method === 'GET') return
  const from = headers.origin ?? (isOwn(headers['sec-fetch-site']) ? origin : 'nowhere')
  if (from !== origin) throw new Failure('forbidden', 'This form came from another site. Open our page and try again.')
}

/** Requests without either header come from very old browsers or from programs, which have no cookies to abuse. */
const isOwn = (site: string | string[] | undefined) => site === undefined || site === 'same-origin' || site === 'none'

/** A modal's window looks like a popup, and prompts are never shown in its frame. */
export const displayOf = (value: unknown): Display =>
  value === 'popup' || value === 'modal' || value === modalWindow ? 'popup' : 'page'
