import type { FastifyReply, FastifyRequest } from 'fastify'
import { modalPage } from '../../pages/sign-in/modal.ts'
import { modalWindow } from '../../provider/exchange/handover.ts'
import { toClientView } from '../client-view.ts'
import { sourceOf } from '../headers.ts'
import { show } from '../replies.ts'
import type { Visit } from '../visit/visit.ts'
import { SignInOver } from './sign-in-over.ts'

/** Browsers that do not say it are shown nothing in a frame: what asks somebody for anything cannot be framed. */
export const isFramed = ({ headers }: FastifyRequest) => /^i?frame$/.test(String(headers['sec-fetch-dest']))

/**
 * A step of a sign-in that was asked for as a modal, in its frame; undefined if it was not. Nothing is asked here: the
 * page opens a window that asks, and goes on with the outcome. No cookie is read, since many browsers keep none in frames.
 */
export async function modalStep(visit: Visit, uid: string, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const { provider, base } = visit
  const params = (await provider.Interaction.find(uid))?.params
  if (params?.display !== 'modal') return undefined
  const client = await provider.Client.find(String(params.client_id))
  if (!client) throw new SignInOver('the client is gone')
  const asked = Object.entries({ ...params, display: modalWindow }).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  )
  const address = `${base}/authorize?${new URLSearchParams(asked)}`
  const view = { ...visit.frame({ display: 'modal' }), client: toClientView(client), address }
  return show(reply, modalPage(view), { frameAncestors: [sourceOf(String(params.redirect_uri))] })
}
