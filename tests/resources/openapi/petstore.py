"""A small description of an API with one of most things, as YAML."""

from __future__ import annotations

PETS = """\
openapi: 3.1.0
info: {title: Pets, version: '1.2', description: Everything about *pets*.}
servers:
  - url: https://{region}.pets.example/v1
    variables: {region: {default: eu, enum: [eu, us]}}
tags:
  - {name: pets, description: Those who live in the shop.}
security: [{token: []}]
paths:
  /pets:
    parameters:
      - {name: X-Trace, in: header, schema: {type: string}}
    get:
      tags: [pets]
      operationId: listPets
      summary: List pets
      description: All pets, the **newest** first.
      parameters:
        - {name: limit, in: query, description: How many, schema: {type: integer, minimum: 1, maximum: 100, default: 20}}
        - {name: kind, in: query, schema: {type: array, items: {type: string, enum: [cat, dog, heron]}}}
      responses:
        200:
          description: Some pets
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}
        default: {$ref: '#/components/responses/Mistake'}
    post:
      tags: [pets]
      operationId: addPet
      summary: Add a pet
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/NewPet'}
            examples: {cat: {summary: A cat, value: {name: Mia, kind: cat}}}
      responses:
        '201': {description: The pet, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
  /pets/{pet}:
    get:
      tags: [pets]
      operationId: getPet
      deprecated: true
      security: []
      parameters: [{name: pet, in: path, required: true, schema: {type: string, format: uuid}, example: 4f2a}]
      responses:
        '200': {description: It, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
  /shops:
    get:
      summary: List shops
      responses: {'204': {description: None}}
webhooks:
  petSold:
    post:
      summary: A pet was sold
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
      responses: {'200': {description: Heard}}
components:
  securitySchemes:
    token: {type: http, scheme: bearer, description: A token of yours}
  responses:
    Mistake:
      description: What is wrong
      content: {application/json: {schema: {type: object, properties: {message: {type: string}}}}}
  schemas:
    NewPet:
      type: object
      required: [name, kind]
      properties:
        name: {type: string, minLength: 1, maxLength: 40, description: What it is *called*., example: Mia}
        kind: {type: string, enum: [cat, dog, heron]}
        born: {type: [string, 'null'], format: date}
    Pet:
      description: Somebody with fur or feathers.
      allOf:
        - {$ref: '#/components/schemas/NewPet'}
        - type: object
          required: [id]
          properties:
            id: {type: string, readOnly: true}
            parents: {type: array, items: {$ref: '#/components/schemas/Pet'}}
            owner:
              oneOf:
                - {$ref: '#/components/schemas/Person'}
                - {type: object, title: Shop, properties: {shop: {type: string}}}
    Person:
      type: object
      properties:
        email: {type: string, format: email}
        friends: {type: object, additionalProperties: {type: string}}
"""
