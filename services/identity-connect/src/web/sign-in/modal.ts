import type { FastifyReply, FastifyRequest } from 'fastify'
import { modalPage } from '../../pages/sign-in/modal.ts'
import { modalWindow } from '../../provider/exchange/handover.ts'
import { toClientView } from '../client-view.ts'
import { sourceOf } from '../headers.ts'
import { show } from '../replies.ts'
import type { Visit } from '../visit/visit.ts'
import { SignInOver } from './sign-in-over.ts'

/** Browsers without this header show nothing in the frame, since pages with prompts cannot be framed. */
export const isFramed = ({ headers }: FastifyRequest) => /^i?frame$/.test(String(headers['sec-fetch-dest']))

/**
 * A step of a modal sign-in in its frame; undefined for other displays. Has no prompts: the page opens a window that prompts,
 * and continues with the outcome. Reads no cookies, since many browsers keep none in frames.
 */
export async function modalStep(visit: Visit, uid: string, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const { provider, base } = visit
  const params = (await provider.Interaction.find(uid))?.params
  if (params?.display !== 'modal') return undefined
  const client = await provider.Client.find(String(params.client_id))
  if (!client) throw new SignInOver('the client does not exist')
  const query = Object.entries({ ...params, display: modalWindow }).flatMap(([name, value]) =>
    [value].flat().map((item): [string, string] => [name, String(item)]),
  )
  const address = `${base}/authorize?${new URLSearchParams(query)}`
  const view = { ...visit.frame({ display: 'modal' }), client: toClientView(client), address }
  return show(reply, modalPage(view), { frameAncestors: [sourceOf(String(params.redirect_uri))] })
}
