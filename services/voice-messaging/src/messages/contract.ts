import { named, type Static, Type } from '@icosa/contract'
import { api, name } from '../configuration-sets/contract.ts'

const phoneNumber = Type.String({
  pattern: '^\\+[1-9][0-9]{1,14}$',
  maxLength: 16,
  description: 'In E.164 format, such as +12065550101.',
})
const text = Type.String({ minLength: 1, maxLength: 6_000 })
const voice = {
  LanguageCode: Type.Optional(Type.String({ maxLength: 64, description: 'Such as en-US.' })),
  VoiceId: Type.Optional(Type.String({ maxLength: 64, description: 'Such as Joanna.' })),
}

const VoiceMessageContent = named('VoiceMessageContent', {
  CallInstructionsMessage: Type.Optional(named('CallInstructionsMessageType', { Text: Type.Optional(text) })),
  PlainTextMessage: Type.Optional(named('PlainTextMessageType', { ...voice, Text: Type.Optional(text) })),
  SSMLMessage: Type.Optional(named('SSMLMessageType', { ...voice, Text: Type.Optional(text) })),
})
export interface VoiceMessageContent extends Static<typeof VoiceMessageContent> {}

export const messages = {
  SendVoiceMessage: api.post('/v1/sms-voice/voice/message', {
    summary: 'Call a phone number and speak a message.',
    body: named('SendVoiceMessageRequest', {
      CallerId: Type.Optional(phoneNumber),
      ConfigurationSetName: Type.Optional(name),
      Content: Type.Optional(VoiceMessageContent),
      DestinationPhoneNumber: Type.Optional(phoneNumber),
      OriginationPhoneNumber: Type.Optional(phoneNumber),
    }),
    replies: { 200: named('SendVoiceMessageResponse', { MessageId: Type.String() }) },
  }),
}
