// Of the kind with a block that its script draws.
import { createComponent, createIntegration } from "@gitbook/runtime";

const board = createComponent({
  componentId: "board",
  initialState: (props) => ({ open: props.open === "true" }),
  action: async (element, action) => (action.action === "toggle" ? { state: { open: !element.state.open } } : element),
  render: async (element, { environment }) => (
    <block>
      <card
        title={element.props.title ?? "Road map"}
        hint={environment.spaceInstallation ? "Here" : "Everywhere"}
        onPress={{ action: "@ui.url.open", url: "https://board.example/4" }}
      >
        <markdown content={`1. Sow\n2. Reap ${element.state.open ? "**now**" : "later"}`} />
        <button label="Toggle" onPress={{ action: "toggle" }} />
      </card>
    </block>
  ),
});

export default createIntegration({ components: [board] });
