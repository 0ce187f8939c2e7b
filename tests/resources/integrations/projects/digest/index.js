// Of the kind that follows the content of spaces: reads it in a task of its own, with a token that it asks for.
import { GitBookAPI } from "@gitbook/api";
import { createIntegration } from "@gitbook/runtime";

const count = (pages) => pages.reduce((sum, page) => sum + 1 + count(page.pages ?? []), 0);

export default createIntegration({
  events: {
    space_content_updated: async (event, { api, environment, integration }) => {
      const { data: revision } = await api.spaces.getRevisionById(event.spaceId, event.revisionId);
      console.log(`told of ${count(revision.pages)} pages`);
      await integration.queueTask({ task: { installation: environment.installation.id, space: event.spaceId } });
    },
  },
  task: async (task, { integration, environment }) => {
    const { name } = environment.integration;
    const made = await integration.api.integrations.createIntegrationInstallationToken(name, task.installation);
    const api = new GitBookAPI({ endpoint: environment.apiEndpoint, authToken: made.data.token });
    const { data: revision } = await api.spaces.getCurrentRevision(task.space);
    await api.integrations.updateIntegrationInstallation(name, task.installation, {
      configuration: { pages: { [task.space]: count(revision.pages) } },
    });
  },
});
