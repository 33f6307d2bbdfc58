import { extensions, named, oneOf, Type } from '@icosa/contract'
import { DetectorModelDefinition } from '../models/contract.ts'
import { api, nextToken, pageQuery } from '../shapes/contract.ts'

export const analysis = extensions({
  StartDetectorModelAnalysis: api.post('/analysis/detector-models/', {
    summary: 'Analyze a detector model.',
    body: named('StartDetectorModelAnalysisRequest', { detectorModelDefinition: DetectorModelDefinition }),
    replies: { 200: named('StartDetectorModelAnalysisResponse', { analysisId: Type.String() }) },
  }),
  DescribeDetectorModelAnalysis: api.get('/analysis/detector-models/{analysisId}', {
    summary: 'Read the status of an analysis.',
    replies: {
      200: named('DescribeDetectorModelAnalysisResponse', { status: oneOf('RUNNING', 'COMPLETE', 'FAILED') }),
    },
  }),
  GetDetectorModelAnalysisResults: api.get('/analysis/detector-models/{analysisId}/results', {
    summary: 'Read the results of an analysis.',
    query: Type.Object(pageQuery),
    replies: {
      200: named('GetDetectorModelAnalysisResultsResponse', {
        analysisResults: Type.Array(
          named('AnalysisResult', {
            type: Type.String(),
            level: oneOf('INFO', 'WARNING', 'ERROR'),
            message: Type.String(),
            locations: Type.Array(named('AnalysisResultLocation', { path: Type.String() })),
          }),
        ),
        nextToken,
      }),
    },
  }),
})
