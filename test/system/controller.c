/* Answers each JointState on the topic argv[1] with an effort on the topic argv[2], through rcl. */
#include <math.h>
#include <stdlib.h>
#include <rcl/rcl.h>
#include <rosidl_runtime_c/primitives_sequence_functions.h>
#include <sensor_msgs/msg/joint_state.h>

static void check(rcl_ret_t code) {
  if (code != RCL_RET_OK) abort();
}

int main(int argc, char ** argv) {
  if (argc != 3) return 2;
  rcl_allocator_t allocator = rcl_get_default_allocator();
  rcl_init_options_t init = rcl_get_zero_initialized_init_options();
  rcl_context_t context = rcl_get_zero_initialized_context();
  check(rcl_init_options_init(&init, allocator));
  check(rcl_init(0, NULL, &init, &context));
  rcl_node_t node = rcl_get_zero_initialized_node();
  rcl_node_options_t options = rcl_node_get_default_options();
  check(rcl_node_init(&node, "controller_in_c", "", &context, &options));

  const rosidl_message_type_support_t * type =
    ROSIDL_GET_MSG_TYPE_SUPPORT(sensor_msgs, msg, JointState);
  rcl_publisher_t commands = rcl_get_zero_initialized_publisher();
  rcl_publisher_options_t publishing = rcl_publisher_get_default_options();
  check(rcl_publisher_init(&commands, &node, type, argv[2], &publishing));
  rcl_subscription_t states = rcl_get_zero_initialized_subscription();
  rcl_subscription_options_t subscribing = rcl_subscription_get_default_options();
  check(rcl_subscription_init(&states, &node, type, argv[1], &subscribing));
  rcl_wait_set_t waiting = rcl_get_zero_initialized_wait_set();
  check(rcl_wait_set_init(&waiting, 1, 0, 0, 0, 0, 0, &context, allocator));

  sensor_msgs__msg__JointState * state = sensor_msgs__msg__JointState__create();
  sensor_msgs__msg__JointState * command = sensor_msgs__msg__JointState__create();
  check(!rosidl_runtime_c__double__Sequence__init(&command->effort, 1));
  for (;;) {
    check(rcl_wait_set_clear(&waiting));
    check(rcl_wait_set_add_subscription(&waiting, &states, NULL));
    check(rcl_wait(&waiting, -1));
    while (rcl_take(&states, state, NULL, NULL) == RCL_RET_OK) {
      command->header.stamp = state->header.stamp;
      double time = state->header.stamp.sec + state->header.stamp.nanosec * 1e-9;
      double force = 20.0 * (sin(5.0 * time) - state->position.data[0]);
      command->effort.data[0] = force - 2.0 * state->velocity.data[0];
      check(rcl_publish(&commands, command, NULL));
    }
  }
}
