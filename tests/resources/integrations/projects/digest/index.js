// Of the kind that follows the content of spaces: reads what changed, keeps what it made of it, and finishes in a task.
import { createIntegration } from "@gitbook/runtime";

const count = (pages) => pages.reduce((sum, page) => sum + 1 + count(page.pages ?? []), 0);

export default createIntegration({
  events: {
    space_content_updated: async (event, { api, environment, integration }) => {
      const { data: revision } = await api.spaces.getRevisionById(event.spaceId, event.revisionId);
      const task = { installation: environment.installation.id, space: event.spaceId, pages: count(revision.pages) };
      await integration.queueTask({ task });
    },
  },
  task: async (task, { integration, environment }) => {
    const { name } = environment.integration;
    await integration.api.integrations.updateIntegrationInstallation(name, task.installation, {
      configuration: { pages: { [task.space]: task.pages } },
    });
    console.log(`counted ${task.pages}`);
  },
});
