import { extensions, named, oneOf, type Static, Type } from '@icosa/contract'
import { InputDefinition, InputName } from '../models/contract.ts'
import { api, Description, Nothing, nextToken, pageQuery, Tags, Time } from '../shapes/contract.ts'

const InputStatus = oneOf('CREATING', 'UPDATING', 'ACTIVE', 'DELETING')

const configuration = {
  inputName: Type.String(),
  inputDescription: Type.Optional(Type.String()),
  inputArn: Type.String(),
  creationTime: Time,
  lastUpdateTime: Time,
  status: InputStatus,
}
export const InputConfiguration = named('InputConfiguration', configuration)
export interface InputConfiguration extends Static<typeof InputConfiguration> {}

export const CreateInputRequest = named('CreateInputRequest', {
  inputName: InputName,
  inputDescription: Description,
  inputDefinition: InputDefinition,
  tags: Type.Optional(Tags),
})
export interface CreateInputRequest extends Static<typeof CreateInputRequest> {}

const ConfigurationResponse = named('InputConfigurationResponse', { inputConfiguration: InputConfiguration })

const SiteWiseProperty = named('IotSiteWiseAssetModelPropertyIdentifier', {
  assetModelId: Type.String({ maxLength: 128 }),
  propertyId: Type.String({ maxLength: 128 }),
})

export const inputs = extensions({
  CreateInput: api.post('/inputs', {
    summary: 'Create an input: the format of messages from devices.',
    body: CreateInputRequest,
    replies: { 201: ConfigurationResponse },
  }),
  DescribeInput: api.get('/inputs/{inputName}', {
    summary: 'Read an input.',
    replies: {
      200: named('DescribeInputResponse', {
        input: named('Input', { inputConfiguration: InputConfiguration, inputDefinition: InputDefinition }),
      }),
    },
  }),
  UpdateInput: api.put('/inputs/{inputName}', {
    summary: 'Change the format of messages of an input.',
    body: named('UpdateInputRequest', { inputDescription: Description, inputDefinition: InputDefinition }),
    replies: { 200: ConfigurationResponse },
  }),
  DeleteInput: api.delete('/inputs/{inputName}', {
    summary: 'Delete an input that no model reads.',
    replies: { 200: Nothing },
  }),
  ListInputs: api.get('/inputs', {
    summary: 'List the inputs.',
    query: Type.Object(pageQuery),
    replies: {
      200: named('ListInputsResponse', { inputSummaries: Type.Array(named('InputSummary', configuration)), nextToken }),
    },
  }),
  ListInputRoutings: api.post('/input-routings', {
    summary: 'List the models that read an input.',
    reads: true,
    body: named('ListInputRoutingsRequest', {
      inputIdentifier: named('InputIdentifier', {
        iotEventsInputIdentifier: Type.Optional(named('IotEventsInputIdentifier', { inputName: InputName })),
        iotSiteWiseInputIdentifier: Type.Optional(
          named('IotSiteWiseInputIdentifier', {
            iotSiteWiseAssetModelPropertyIdentifier: Type.Optional(SiteWiseProperty),
          }),
        ),
      }),
      maxResults: Type.Optional(Type.Integer({ minimum: 1, maximum: 250 })),
      nextToken: Type.Optional(Type.String({ maxLength: 2048 })),
    }),
    replies: {
      200: named('ListInputRoutingsResponse', {
        routedResources: Type.Array(
          named('RoutedResource', { name: Type.Optional(Type.String()), arn: Type.Optional(Type.String()) }),
        ),
        nextToken,
      }),
    },
  }),
})
